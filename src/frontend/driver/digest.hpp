// A 128-bit digest that names builds by their content.
#pragma once
#include <memory>
#include <string>
#include <string_view>

namespace heddle::frontend {

// XXH3 of all texts. Not cryptographic: it only keeps different builds apart.
class digest {
 public:
  digest();
  ~digest();

  digest& add(std::string_view text);  // includes its length, so boundaries matter
  std::string hexadecimal() const;     // 32 digits

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace heddle::frontend
