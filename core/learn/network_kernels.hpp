// What costs time in a network: rows that change, and dense layers.
//
// Plain loops over 32 numbers of 16 bits, written so that a compiler makes vector instructions of them. On
// x86-64 they are compiled twice: for every processor, and for those with AVX2 (network_avx2.cpp). What is
// compiled twice lives in the namespace MOSSA_ISA, so that the linker does not take one for the other. Sums
// of whole numbers do not depend on their order, so both say the same.
#pragma once

#include "network.hpp"

#ifndef MOSSA_ISA
#define MOSSA_ISA baseline
#endif

namespace mossa::MOSSA_ISA {

namespace {

constexpr std::size_t channels = NetworkScale::channels;

inline std::int16_t clipped(std::int16_t h) {
  constexpr std::int16_t low = 0, high = NetworkScale::row;
  const std::int16_t above = h > low ? h : low;
  return above < high ? above : high;
}

void change(const ChannelRow* book, std::span<const RowChange> changes, ChannelRow* cells, ChannelRow* saved,
            NetworkKernels::Sums& sums) {
  // One stone changes too few rows for these to overflow.
  alignas(64) std::array<std::int16_t, 2 * channels> delta{};
  for (const RowChange& each : changes) {
    const std::int16_t* const gain = book[each.after[Side::first]].of.data();
    const std::int16_t* const loss = book[each.before[Side::first]].of.data();
    const std::int16_t* const other_gain = book[each.after[Side::second]].of.data();
    const std::int16_t* const other_loss = book[each.before[Side::second]].of.data();
    std::int16_t* const row = cells[each.cell].of.data();
    std::int16_t* const kept = saved->of.data();
    ++saved;
    // What one side sees is the own row of its half of the cell, and the other's row of the other half.
    for (std::size_t half = 0; half < 2 * channels; half += channels) {
      const std::int16_t* const g = gain + half;
      const std::int16_t* const l = loss + half;
      const std::int16_t* const og = other_gain + (channels - half);
      const std::int16_t* const ol = other_loss + (channels - half);
      std::int16_t* const r = row + half;
      std::int16_t* const k = kept + half;
      std::int16_t* const d = delta.data() + half;
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
      for (std::size_t i = 0; i < channels; ++i) {
        const std::int16_t was = r[i];
        const auto is = static_cast<std::int16_t>(was + (g[i] - l[i]) + (og[i] - ol[i]));
        k[i] = was;
        r[i] = is;
        d[i] = static_cast<std::int16_t>(d[i] + clipped(is) - clipped(was));
      }
    }
  }
  for (std::size_t i = 0; i < 2 * channels; ++i) sums[i] += delta[i];
}

void restore(std::span<const RowChange> changes, ChannelRow* cells, const ChannelRow* saved) {
  for (std::size_t i = changes.size(); i-- > 0;) {
    const std::int16_t* const kept = saved[i].of.data();
    std::int16_t* const row = cells[changes[i].cell].of.data();
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
    for (std::size_t c = 0; c < 2 * channels; ++c) row[c] = kept[c];
  }
}

void inputs(const NetworkKernels::Sums& sums, std::size_t side, int scale, DenseLayers::Inputs& x) {
  const std::size_t own = side * channels, other = channels - own;
  const auto input = [scale](std::int32_t sum) {
    return static_cast<std::int16_t>(
        std::min<std::int32_t>(sum * scale >> NetworkScale::sum_shift, NetworkScale::input_limit));
  };
  for (std::size_t i = 0; i < channels; ++i) x[i] = input(sums[own + i]);
  for (std::size_t i = 0; i < channels; ++i) x[channels + i] = input(sums[other + i]);
}

void dense(const DenseLayers& layers, const DenseLayers::Inputs& x, DenseLayers::Outputs& out) {
  alignas(64) std::array<std::int16_t, DenseLayers::hidden> hidden;
  for (std::size_t h = 0; h < DenseLayers::hidden; ++h) {
    const DenseLayers::Inputs& weights = layers.hidden_weights[h];
    std::int32_t sum = 0;
    for (std::size_t i = 0; i < DenseLayers::inputs; ++i) sum += weights[i] * x[i];
    sum = (sum + layers.hidden_bias[h]) >> NetworkScale::hidden_shift;
    hidden[h] = static_cast<std::int16_t>(std::clamp<std::int32_t>(sum, 0, NetworkScale::hidden_limit));
  }
  for (std::size_t o = 0; o < DenseLayers::most_outputs; ++o) {
    std::int32_t sum = 0;
    for (std::size_t h = 0; h < DenseLayers::hidden; ++h) sum += layers.output_weights[o][h] * hidden[h];
    out[o] = sum + layers.output_bias[o];
  }
}

std::int32_t weigh(const std::int16_t* row, const std::int16_t* weights) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < channels; ++i) sum += clipped(row[i]) * weights[i];
  return sum;
}

constexpr NetworkKernels kernels{change, restore, inputs, dense, weigh};

}  // namespace

}  // namespace mossa::MOSSA_ISA
