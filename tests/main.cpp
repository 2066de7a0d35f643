// Catch2 2.13 finds all TEST_CASEs itself; CTest runs each in a process of its own.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
