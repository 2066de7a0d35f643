// Physical quantities as types: a number of seconds cannot be added to a number of bytes.
// Values are doubles in SI base units (seconds, bytes, bytes per second, FLOP, FLOP per second);
// only the mixed operators that mean something exist.
#pragma once

namespace longhaul {

template <class Tag>
struct Quantity {
  double value = 0;

  constexpr Quantity() = default;
  constexpr explicit Quantity(double amount) : value(amount) {}

  constexpr Quantity& operator+=(Quantity other) { return value += other.value, *this; }
  constexpr Quantity& operator-=(Quantity other) { return value -= other.value, *this; }

  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.value + b.value); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.value - b.value); }
  friend constexpr Quantity operator*(Quantity a, double factor) { return Quantity(a.value * factor); }
  friend constexpr Quantity operator*(double factor, Quantity a) { return Quantity(a.value * factor); }
  friend constexpr Quantity operator/(Quantity a, double divisor) { return Quantity(a.value / divisor); }
  friend constexpr double operator/(Quantity a, Quantity b) { return a.value / b.value; }
  friend constexpr bool operator==(Quantity a, Quantity b) { return a.value == b.value; }
  friend constexpr bool operator!=(Quantity a, Quantity b) { return a.value != b.value; }
  friend constexpr bool operator<(Quantity a, Quantity b) { return a.value < b.value; }
  friend constexpr bool operator>(Quantity a, Quantity b) { return a.value > b.value; }
  friend constexpr bool operator<=(Quantity a, Quantity b) { return a.value <= b.value; }
  friend constexpr bool operator>=(Quantity a, Quantity b) { return a.value >= b.value; }
};

using Seconds = Quantity<struct SecondsTag>;
using Bytes = Quantity<struct BytesTag>;
using BytesPerSecond = Quantity<struct BytesPerSecondTag>;
using Flops = Quantity<struct FlopsTag>;
using FlopsPerSecond = Quantity<struct FlopsPerSecondTag>;

constexpr Seconds operator/(Bytes size, BytesPerSecond rate) { return Seconds(size.value / rate.value); }
constexpr Seconds operator/(Flops work, FlopsPerSecond speed) { return Seconds(work.value / speed.value); }
constexpr BytesPerSecond operator/(Bytes size, Seconds time) { return BytesPerSecond(size.value / time.value); }
constexpr FlopsPerSecond operator/(Flops work, Seconds time) { return FlopsPerSecond(work.value / time.value); }
constexpr Bytes operator*(BytesPerSecond rate, Seconds time) { return Bytes(rate.value * time.value); }

}  // namespace longhaul
