"""Base weights from the hub; `models.pipeline.base --hub` says when and how."""

# mypy: disable-error-code="import-not-found, no-any-return"

from __future__ import annotations

from models.pipeline.network import BertEncoder, NetworkConfig

#: Reference base on the hub, and the revision that the recipe is written for.
HUB_NAME = "cross-encoder/mmarco-mMiniLMv2-L12-H384-v1"
HUB_REVISION = "1427fd652930e4ba29e8149678df786c240d8825"


def read_hub(name: str = HUB_NAME, revision: str = HUB_REVISION) -> BertEncoder:
    """
    Load an XLM-R-style or BERT-style encoder from the hub; needs transformers and a network.

    Written for the names that `transformers` gives these weights. It has to be run where there is
    a network; offline it raises whatever the hub client raises.
    """
    from transformers import AutoModel  # noqa: PLC0415

    model = AutoModel.from_pretrained(name, revision=revision)
    theirs, shape = model.state_dict(), model.config
    config = NetworkConfig(
        vocabulary=shape.vocab_size, hidden=shape.hidden_size, layers=shape.num_hidden_layers,
        heads=shape.num_attention_heads, ffn=shape.intermediate_size,
        positions=shape.max_position_embeddings, types=shape.type_vocab_size,
        eps=shape.layer_norm_eps,
        position_offset=shape.pad_token_id + 1 if shape.model_type == "xlm-roberta" else 0,
    )  # fmt: skip
    encoder = BertEncoder(config)
    encoder.load_state_dict({ours: theirs[_hub_name(ours)] for ours in encoder.state_dict()})
    return encoder.eval()


def _hub_name(ours: str) -> str:
    """The hub's name of one of our parameters."""
    top = {"word": "word_embeddings", "position": "position_embeddings"}
    top |= {"segment": "token_type_embeddings", "norm": "LayerNorm"}
    if not ours.startswith("layers."):
        part, kind = ours.split(".")
        return f"embeddings.{top[part]}.{kind}"
    _, index, rest = ours.split(".", 2)
    inner = {
        "attention.query": "attention.self.query",
        "attention.key": "attention.self.key",
        "attention.value": "attention.self.value",
        "attention.output": "attention.output.dense",
        "attention.norm": "attention.output.LayerNorm",
        "expand": "intermediate.dense",
        "reduce": "output.dense",
        "norm": "output.LayerNorm",
    }
    part, kind = rest.rsplit(".", 1)
    return f"encoder.layer.{index}.{inner[part]}.{kind}"
