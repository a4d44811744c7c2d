#!/bin/bash -eu
# The compiler, its flags and the engine come from the image.
exec bash "$SRC/chargecast/fuzz/campaign/libfuzzer/build.sh"
