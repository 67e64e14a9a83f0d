// Options as text, name=value: which ones exist, what values they accept, and their defaults.
//
// Games and searches declare theirs as a list of Option, so every interface can list, check and explain them
// without knowing a single one.
#pragma once

#include <charconv>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "types.hpp"

namespace mossa {

/// One option: a choice among `values`, or a number from `low` to `high`.
struct Option {
  std::string name;
  std::string help;
  std::string fallback;  // the default; empty: there is none
  std::vector<std::string> values;
  double low = 0;
  double high = 0;
  bool whole = false;

  /// The first value is the default.
  static Option choice(std::string name, std::vector<std::string> values, std::string help) {
    std::string fallback = values.front();
    return {std::move(name), std::move(help), std::move(fallback), std::move(values)};
  }
  static Option flag(std::string name, bool on, std::string help) {
    Option option{std::move(name), std::move(help), on ? "on" : "off", {"on", "off"}};
    return option;
  }
  static Option integer(std::string name, double low, double high, std::string fallback, std::string help) {
    return {std::move(name), std::move(help), std::move(fallback), {}, low, high, true};
  }
  static Option real(std::string name, double low, double high, std::string fallback, std::string help) {
    return {std::move(name), std::move(help), std::move(fallback), {}, low, high, false};
  }

  /// What is accepted, for messages: "on, off" or "a whole number, 1 to 100".
  std::string accepted() const {
    if (!values.empty()) return "one of " + join(values, ", ");
    return std::string(whole ? "a whole number, " : "a number, ") + number_text(low) + " to " +
           number_text(high);
  }

  bool accepts(const std::string& value) const {
    if (!values.empty()) return std::ranges::find(values, value) != values.end();
    double number = 0;
    const char* const end = value.data() + value.size();
    const auto [next, error] = std::from_chars(value.data(), end, number);
    return error == std::errc() && next == end && number >= low && number <= high &&
           (!whole || number == std::floor(number));
  }

 private:
  static std::string number_text(double number) {
    if (number == std::floor(number) && std::abs(number) <= 1e18)
      return std::to_string(static_cast<long long>(number));
    std::string text = std::to_string(number);
    text.erase(text.find_last_not_of('0') + 1);
    return text;
  }
};

/// The values of a set of options, checked and complete.
class Options {
 public:
  Options() = default;

  /// Throws Error if `known` does not accept a name or a value of `given`; the message says whose option it
  /// is.
  template <class Error>
  static Options check(const std::map<std::string, std::string>& given, const std::vector<Option>& known,
                       const std::string& whose) {
    Options options;
    for (const auto& [name, value] : given) {
      const auto option = std::ranges::find(known, name, &Option::name);
      if (option == known.end())
        throw Error("unknown option " + quote(name) + " of " + whose + ": " + list(known));
      if (!option->accepts(value))
        throw Error("invalid option " + quote(name + "=" + value) + " of " + whose + ": " + name + " is " +
                    option->accepted());
      options.values_[name] = value;
    }
    for (const Option& option : known)
      if (!option.fallback.empty()) options.values_.try_emplace(option.name, option.fallback);
    return options;
  }

  bool has(const std::string& name) const { return values_.contains(name); }
  const std::string& text(const std::string& name) const { return values_.at(name); }
  bool flag(const std::string& name) const { return text(name) == "on"; }
  bool yes(const std::string& name) const { return text(name) == "yes"; }
  int integer(const std::string& name) const { return static_cast<int>(real(name)); }
  double real(const std::string& name) const { return std::stod(text(name)); }
  const std::map<std::string, std::string>& all() const { return values_; }

 private:
  static std::string list(const std::vector<Option>& known) {
    if (known.empty()) return "it has no options";
    std::vector<std::string> names;
    for (const Option& option : known) names.push_back(option.name);
    return "the options are " + join(names, ", ");
  }

  std::map<std::string, std::string> values_;
};

}  // namespace mossa
