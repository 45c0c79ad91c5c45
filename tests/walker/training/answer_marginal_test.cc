#include "walker/training/answer_marginal.h"

#include <gtest/gtest.h>

#include "runtime/tensor/int64_tensor.h"
#include "runtime/tensor/torch_threads.h"
#include "tests/walker/search/walks.h"
#include "tests/walker/small_world.h"

namespace kgwalk::walker {
namespace {

using graph::EntityId;
using torch::Tensor;

class AnswerLoss : public ::testing::Test {
 protected:
  void make(std::uint64_t seed) {
    graph_ = testing::random_graph(seed);
    names_ = std::make_unique<dialogue::NameIndex>(*graph_);
    pieces_ = std::make_unique<WordPieces>(*names_, 256);
    std::vector<std::string> relations;
    for (graph::RelationId r = 0; r < graph_->num_relations(); ++r)
      relations.emplace_back(graph_->relation_name(r));
    seed_torch(seed);
    listener_ =
        Listener(ListenConfig{.width = 16, .buckets = 256}, relation_bags(*pieces_, relations, true), 3);
    listener_->eval();
    for (Tensor& p : listener_->parameters()) {
      const torch::NoGradGuard no_grad;
      p.add_(torch::randn_like(p) * 0.3);
    }
  }
  [[nodiscard]] Said said() const {
    const std::vector<graph::Chat> one{{graph::Speaker::kUser, "who made it"}},
        two{{graph::Speaker::kUser, "what else is by them"}};
    const std::vector<HeardText> texts{pieces_->read(one, "", 2, 40), pieces_->read(two, "", 2, 40)};
    return said_of(texts, nullptr);
  }
  std::shared_ptr<const graph::KnowledgeGraph> graph_;
  std::unique_ptr<dialogue::NameIndex> names_;
  std::unique_ptr<WordPieces> pieces_;
  Listener listener_{nullptr};
};

TEST_F(AnswerLoss, IsThatOfAllWalksToAnAnswerTogether) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    make(seed);
    const ListenerImpl::Relations relations = listener_->graph_relations();
    const ListenerImpl::Heard heard = listener_->hear(said(), relations);
    const std::vector<EntityId> first{1, 3}, second{2};
    const std::vector<AnsweredQuestion> questions{{0, 0, first}, {1, 1, second}};
    double expected = 0;
    int reachable = 0;
    for (const AnsweredQuestion& question : questions) {
      const testing::Walks walks(
          *graph_, question.start, 3, [&](int hop, graph::RelationId before, std::size_t relation) {
            const torch::NoGradGuard no_grad;
            return listener_
                ->score(heard, relations, int64_tensor({question.owner}), int64_tensor({hop}),
                        int64_tensor({before}))[0][static_cast<std::int64_t>(relation)]
                .item<float>();
          });
      double right = 0;
      walks.each([&](EntityId end, double probability) {
        right += std::binary_search(question.answers.begin(), question.answers.end(), end) ? probability : 0;
      });
      if (right == 0) continue;
      expected -= std::log(right);
      ++reachable;
    }
    ASSERT_GT(reachable, 0);
    const Tensor loss = answer_loss(*listener_, heard, relations, *graph_, questions, 3);
    EXPECT_NEAR(loss.item<double>(), expected / reachable, 1e-4);
    loss.backward();
    EXPECT_GT(listener_->parameters().front().grad().abs().sum().item<float>(), 0);
  }
}

TEST_F(AnswerLoss, AnAnswerThatNoWalkReachesTeachesNothing) {
  make(1);
  const ListenerImpl::Relations relations = listener_->graph_relations();
  const ListenerImpl::Heard heard = listener_->hear(said(), relations);
  const std::vector<EntityId> nowhere{0};  // the start itself
  const std::vector<AnsweredQuestion> questions{{0, 0, nowhere}};
  EXPECT_EQ(answer_loss(*listener_, heard, relations, *graph_, questions, 3).item<float>(), 0);
}

}  // namespace
}  // namespace kgwalk::walker
