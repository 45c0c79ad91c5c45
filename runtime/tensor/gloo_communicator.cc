#include "runtime/tensor/gloo_communicator.h"

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <functional>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "kgwalk/error.h"

namespace kgwalk {
namespace {

using c10d::ProcessGroupGloo;

// The first line: LibTorch puts stack traces behind it.
std::string reason_in(const std::exception& error) {
  const std::string text = error.what();
  return text.substr(0, text.find('\n'));
}

// The address that this machine has towards rank 0, which the others reach it by too. The name of the machine
// itself often stands for 127.0.1.1.
std::string address_towards(const std::string& host, int port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  if (const int error = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found); error != 0)
    throw Error("MASTER_ADDR is '" + host + "', which has no address: " + ::gai_strerror(error));
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> release(found, ::freeaddrinfo);
  for (const addrinfo* at = found; at != nullptr; at = at->ai_next) {
    const int fd = ::socket(at->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) continue;
    sockaddr_storage mine{};
    socklen_t length = sizeof mine;
    char text[NI_MAXHOST] = "";
    // Connecting a datagram socket sends nothing; it only looks for the way.
    const bool known = ::connect(fd, at->ai_addr, at->ai_addrlen) == 0 &&
                       ::getsockname(fd, reinterpret_cast<sockaddr*>(&mine), &length) == 0 &&
                       ::getnameinfo(reinterpret_cast<sockaddr*>(&mine), length, text, sizeof text, nullptr,
                                     0, NI_NUMERICHOST) == 0;
    ::close(fd);
    if (known) return text;
  }
  throw Error("no network leads from here to '" + host + "', the MASTER_ADDR");
}

std::shared_ptr<gloo::transport::Device> device_towards(const Launch& launch) {
  if (const char* interface = std::getenv("GLOO_SOCKET_IFNAME"); interface != nullptr && *interface != '\0')
    return ProcessGroupGloo::createDeviceForInterface(interface);
  return ProcessGroupGloo::createDeviceForHostname(address_towards(launch.host, launch.port));
}

class GlooCommunicator : public Communicator {
 public:
  explicit GlooCommunicator(const Launch& launch) : rank_(launch.rank), size_(launch.size) {
    const std::chrono::milliseconds timeout = std::chrono::seconds(launch.timeout_s);
    attempt([&] {
      c10d::TCPStoreOptions store;
      store.port = static_cast<std::uint16_t>(launch.port);
      store.isServer = launch.rank == 0 && launch.agent_prefix.empty();
      store.numWorkers = static_cast<std::size_t>(launch.size);
      store.waitWorkers = launch.agent_prefix.empty();
      store.timeout = timeout;
      c10::intrusive_ptr<c10d::Store> shared = c10::make_intrusive<c10d::TCPStore>(launch.host, store);
      if (!launch.agent_prefix.empty())
        shared = c10::make_intrusive<c10d::PrefixStore>(launch.agent_prefix, shared);
      auto options = ProcessGroupGloo::Options::create(timeout);
      options->devices.push_back(device_towards(launch));
      options->threads = 2;
      group_ = c10::make_intrusive<ProcessGroupGloo>(shared, launch.rank, launch.size, options);
    });
  }

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }

  void sum(torch::Tensor& tensor) override {
    on_processor(tensor, [&](std::vector<torch::Tensor>& one) { group_->allreduce(one)->wait(); });
  }
  void broadcast(torch::Tensor& tensor) override {
    on_processor(tensor, [&](std::vector<torch::Tensor>& one) { group_->broadcast(one)->wait(); });
  }

  [[nodiscard]] std::vector<std::string> gather(const std::string& bytes) override {
    const std::vector<torch::Tensor> lengths =
        all_of(torch::tensor({static_cast<std::int64_t>(bytes.size())}, torch::kInt64));
    std::int64_t longest = 1;
    for (const torch::Tensor& length : lengths) longest = std::max(longest, length.item<std::int64_t>());
    torch::Tensor padded = torch::zeros({longest}, torch::kUInt8);
    std::memcpy(padded.data_ptr(), bytes.data(), bytes.size());
    const std::vector<torch::Tensor> all = all_of(padded);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < all.size(); ++i)
      texts.emplace_back(static_cast<const char*>(all[i].data_ptr()),
                         static_cast<std::size_t>(lengths[i].item<std::int64_t>()));
    return texts;
  }

  [[nodiscard]] std::string broadcast(const std::string& bytes) override {
    torch::Tensor length = torch::tensor({static_cast<std::int64_t>(bytes.size())}, torch::kInt64);
    broadcast(length);
    torch::Tensor text =
        torch::zeros({std::max<std::int64_t>(1, length.item<std::int64_t>())}, torch::kUInt8);
    if (rank_ == 0) std::memcpy(text.data_ptr(), bytes.data(), bytes.size());
    broadcast(text);
    return {static_cast<const char*>(text.data_ptr()), static_cast<std::size_t>(length.item<std::int64_t>())};
  }

 private:
  void attempt(const std::function<void()>& talk) const {
    try {
      talk();
    } catch (const Error&) {
      throw;
    } catch (const std::exception& error) {
      throw Error(
          "rank " + std::to_string(rank_) + " of " + std::to_string(size_) +
          ": another process has ended or cannot be reached (" + reason_in(error) +
          "); look at what the others said, and start all of them again to go on from the last checkpoint");
    }
  }

  // Gloo takes tensors of the processor.
  void on_processor(torch::Tensor& tensor,
                    const std::function<void(std::vector<torch::Tensor>&)>& talk) const {
    const torch::NoGradGuard no_grad;
    std::vector<torch::Tensor> one{tensor.is_cpu() ? tensor : tensor.cpu()};
    attempt([&] { talk(one); });
    if (!tensor.is_cpu()) tensor.copy_(one.front());
  }

  [[nodiscard]] std::vector<torch::Tensor> all_of(torch::Tensor mine) {
    std::vector<std::vector<torch::Tensor>> all(1);
    for (int i = 0; i < size_; ++i) all.front().push_back(torch::zeros_like(mine));
    std::vector<torch::Tensor> one{std::move(mine)};
    attempt([&] { group_->allgather(all, one)->wait(); });
    return std::move(all.front());
  }

  int rank_, size_;
  c10::intrusive_ptr<ProcessGroupGloo> group_;
};

}  // namespace

std::unique_ptr<Communicator> connect_by_gloo(const Launch& launch) {
  return std::make_unique<GlooCommunicator>(launch);
}

}  // namespace kgwalk
