// The parts of LibTorch that nearly every file needs, precompiled once for all targets. Include this in place
// of <torch/torch.h>: with that a translation unit takes two to three seconds longer even when it is
// precompiled. Modules and optimizers of LibTorch that few files use are included where they are used.
#pragma once

#include <torch/autograd.h>
#include <torch/nn/init.h>
#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>
#include <torch/types.h>
#include <torch/utils.h>
