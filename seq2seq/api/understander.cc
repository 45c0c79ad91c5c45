#include "kgwalk/understander.h"

#include "seq2seq/tasks/understanding/understander.h"

namespace kgwalk {

struct Understander::Model {
  seq2seq::Understander understander;
};

Understander Understander::open(const std::filesystem::path& path) {
  return Understander(std::make_unique<Model>(Model{seq2seq::Understander::open(path)}));
}

Understander::Understander(std::unique_ptr<Model> model) : model_(std::move(model)) {}
Understander::Understander(Understander&&) noexcept = default;
Understander& Understander::operator=(Understander&&) noexcept = default;
Understander::~Understander() = default;

std::vector<Understanding> Understander::understand(const std::vector<std::filesystem::path>& files) const {
  return model_->understander.understand(files);
}

const std::vector<std::string>& Understander::labels() const { return model_->understander.labels(); }

}  // namespace kgwalk
