// What the bindings share. Each file beside this one binds one part of the core; bindings.cpp calls them all.
//
// Long calls release the interpreter lock and look for Ctrl-C through their Poll.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <atomic>

#include "../handles.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace mossa {

using GamePointer = std::shared_ptr<const AnyGame>;
using PositionPointer = std::shared_ptr<const AnyPosition>;
/// What pickle asks for: the class and the arguments that make the object again.
using Reduced = nb::typed<nb::tuple, nb::object, nb::ellipsis>;

/// Ends a long call with KeyboardInterrupt when Ctrl-C was pressed.
inline bool raise_signals() {
  const nb::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
  return false;
}

template <class Work>
auto unlocked(Work&& work) {
  const nb::gil_scoped_release unlock;
  return work(Poll(raise_signals));
}

/// Ends a search from another thread.
struct StopToken {
  std::atomic<bool> stopped{false};
};

inline nb::tuple to_tuple(const Cell& cell) { return nb::make_tuple(cell.row, cell.col); }

void bind_errors(nb::module_& m);
void bind_values(nb::module_& m);
void bind_games(nb::module_& m);
void bind_positions(nb::module_& m);
void bind_evaluations(nb::module_& m);
void bind_learn(nb::module_& m);
void bind_search(nb::module_& m);
void bind_vector(nb::module_& m);

}  // namespace mossa
