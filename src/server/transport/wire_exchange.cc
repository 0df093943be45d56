#include "server/transport/wire_exchange.h"

namespace tollgate::server {

void WireExchange::reply(Response response) {
  if (std::exchange(answered_, true)) return;
  if (is_current()) connection_->reply(response);
}

void WireExchange::begin_stream(Response head) {
  if (std::exchange(answered_, true)) return;
  if (is_current()) connection_->begin_stream(head);
}

void WireExchange::send(std::string_view piece) {
  if (is_current()) connection_->send_piece(piece);
}

void WireExchange::finish() {
  if (is_current()) connection_->finish_stream();
}

void WireExchange::on_gone(std::function<void()> gone) {
  if (is_current())
    connection_->hear_gone(std::move(gone));
  else if (ended_ == Ended::kGone)
    connection_->frontier().post(std::move(gone));
}

void WireExchange::on_sent(std::function<void()> sent) {
  if (is_current())
    connection_->hear_sent(std::move(sent));
  else if (ended_ == Ended::kSent)
    connection_->frontier().post(std::move(sent));
}

void WireExchange::end(End how) { ended_ = how == End::kSent ? Ended::kSent : Ended::kGone; }

}  // namespace tollgate::server
