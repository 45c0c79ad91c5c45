#include "runtime/tensor/communicator.h"

#include "kgwalk/error.h"
#include "runtime/tensor/gloo_communicator.h"

namespace kgwalk {
namespace {

class Alone : public Communicator {
 public:
  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] int size() const override { return 1; }
  void sum(torch::Tensor& /*tensor*/) override {}
  void broadcast(torch::Tensor& /*tensor*/) override {}
  [[nodiscard]] std::vector<std::string> gather(const std::string& bytes) override { return {bytes}; }
  [[nodiscard]] std::string broadcast(const std::string& bytes) override { return bytes; }
};

}  // namespace

std::unique_ptr<Communicator> connect(const Launch& launch) {
  if (launch.size == 1) return std::make_unique<Alone>();
#ifdef KGWALK_WITH_C10D
  return connect_by_gloo(launch);
#else
  throw ConfigError(std::to_string(launch.size) +
                    " processes were started to train together, and this program was built without c10d (its "
                    "build found no headers of Gloo); start one");
#endif
}

Communicator& world() {
  static const std::unique_ptr<Communicator> all = connect(launch());
  return *all;
}

}  // namespace kgwalk
