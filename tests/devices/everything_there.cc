// Linked into a test program, all models that it opens or trains compute on the second device.
#include <gtest/gtest.h>

#include "runtime/tensor/device.h"
#include "tests/devices/second_device.h"

namespace kgwalk::testing {
namespace {

class OnSecondDevice : public ::testing::Environment {
 public:
  void SetUp() override { set_compute_device(second_device()); }
  void TearDown() override { EXPECT_GT(operations_on_second_device(), 0); }
};

const ::testing::Environment* const kThere = ::testing::AddGlobalTestEnvironment(new OnSecondDevice);

}  // namespace
}  // namespace kgwalk::testing
