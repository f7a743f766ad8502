"""
A bundle's encoder in PyTorch, fp32, from the bundle's own weights; needs the extra `train`.

The weights come back from their 8 bits, so vectors are the bundle's but for what fixed ranges of
activations cost.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from tokenizers import Tokenizer

from models.bundle import MODEL, TOKENIZER
from models.encoder import PREFIX
from models.pipeline.embedding import Packed, unpack
from models.pipeline.network import BertEncoder, NetworkConfig, SentenceEncoder
from models.pipeline.recover import recovered

_WORDS, _POSITIONS = "encoder.word.weight", "encoder.position.weight"


def torch_encoder(folder: Path) -> Callable[[str], np.ndarray]:
    """Load a bundle's network; what is returned gives a text's vector, (D,), on one thread."""
    torch.set_num_threads(1)
    tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    network = _network(folder / MODEL)

    def encode(text: str) -> np.ndarray:
        ids = torch.tensor([tokenizer.encode(PREFIX + text).ids])
        with torch.inference_mode():
            return network(ids, torch.ones_like(ids))[0].numpy()

    return encode


def _network(path: Path) -> SentenceEncoder:
    graph = onnx.load(path).graph
    constants = {item.name: numpy_helper.to_array(item) for item in graph.initializer}
    codes, scales = constants[f"{_WORDS}.codes"], constants[f"{_WORDS}.halves"]
    found = recovered(graph)
    hidden = found[_POSITIONS].shape[1]
    found[_WORDS] = unpack(Packed(codes, scales, bits=8 * codes.shape[1] // hidden, error=0.0))
    config = NetworkConfig(
        vocabulary=len(codes),
        hidden=hidden,
        layers=sum(name.endswith("attention.norm.weight") for name in found),
        positions=len(found[_POSITIONS]),
    )
    network = SentenceEncoder(BertEncoder(config))
    names = network.state_dict()
    network.load_state_dict({name: torch.from_numpy(np.array(found[name])) for name in names})
    return network.eval()
