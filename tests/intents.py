"""A small agent with three intents that the shipped encoder tells apart, in English."""

from typing import Any

EXAMPLES = {
    "hours": [
        "when do you open",
        "what are your opening hours",
        "what time do you close today",
        "are you open on sundays",
        "until what time is the shop open",
        "at what hour does the store open in the morning",
    ],
    "parcel": [
        "where is my parcel",
        "when will my order be delivered",
        "my package has not arrived yet",
        "can you track my delivery",
        "what is the status of my shipment",
        "has my parcel been sent out already",
    ],
    "refund": [
        "i want my money back",
        "how do i get a refund",
        "when will i get the refund on my card",
        "please refund my payment",
        "you still owe me the money for the returned shoes",
        "how long does a refund take",
    ],
}
VALIDATION = {
    "hours": [
        "do you open on saturday",
        "when does your shop close",
        "how late are you open tonight",
        "what are the opening times",
        "are you still open now",
        "what time does the shop open tomorrow",
        "is the store open on public holidays",
        "from when until when are you open",
        "when are you closed",
        "tell me your business hours please",
    ],
    "parcel": [
        "where is my order",
        "my parcel is late where is it",
        "when does my package arrive",
        "has the delivery left the warehouse",
        "i am still waiting for my shipment",
        "could you check where my delivery is",
        "i would like to track my parcel",
        "which day will the package come",
        "the courier has not brought my order",
        "is my parcel on its way",
    ],
    "refund": [
        "can i have my money back",
        "i sent it back and want a refund",
        "where is the refund you promised",
        "please give me a refund for this",
        "how many days until the refund is on my account",
        "i was charged and want the money returned",
        "has my refund been paid",
        "i would like to be refunded",
        "give me my money back please",
        "when do you pay the refund",
    ],
}
OUT_OF_SCOPE = [
    "what is the weather like tomorrow",
    "can you recommend a good film",
    "i would like to book a table for two",
    "my neighbour's dog barks all night",
    "who won the football match",
    "tell me a joke",
    "how do i bake bread",
    "which bus goes to the airport",
    "i have lost my passport",
    "could you speak a little louder",
    "what is the capital of peru",
    "my internet connection is down",
    "i need an appointment with the dentist",
    "do you sell garden furniture",
    "please change my address",
    "i want to speak to a human",
    "how old are you",
    "my car has broken down",
    "play some music",
    "what is two plus two",
    "i forgot my password",
    "cancel my subscription",
    "that is a nice colour",
    "i will think about it and call again",
]
#: What callers say who mean one of them, and none.
SAID = {
    "hours": "hello at what time do you open on monday",
    "parcel": "hi i wanted to know where my parcel is",
    "refund": "i returned the shoes and want a refund",
    None: "my washing machine makes strange noises",
}


def routing_document(**overrides: Any) -> dict[str, Any]:
    """Make the profile as a file or a record has it, to change at will; the version is left out."""
    return {
        "tenant_id": "acme",
        "agent_id": "desk",
        "match": {"mode": "live"},
        "router": {"mode": "live", "target_accuracy": 0.9},
        "intents": [
            {"name": name, "examples": [*examples], "response": f"reply to {name}"}
            for name, examples in EXAMPLES.items()
        ],
        "validation_phrases": {name: [*phrases] for name, phrases in VALIDATION.items()},
        "out_of_scope_phrases": [*OUT_OF_SCOPE],
    } | overrides
