# The front door. `make replay` and `make test` install what is missing, build, and run.
.PHONY: replay test build install format lint bench regress report figures platforms clean

SOURCES = $(shell git ls-files '*.cpp' '*.hpp')

SCHEDULERS = random,rank_map:scenarios/rank_maps/random_2022.json,megatron,kernighan_lin,dtfm,identity,longhaul

replay: build
	./build/longhaul compare scenarios/eight_cities.yaml --schedulers $(SCHEDULERS)

build: install
	cmake --preset release
	cmake --build --preset release

platforms: build
	./build/longhaul platform build $(filter-out platforms/device_types.yaml, $(wildcard platforms/*.yaml))

test: install
	cmake --preset ci
	cmake --build --preset ci
	ctest --preset ci

install:
	scripts/install_dependencies.sh

format:
	clang-format-14 -i $(SOURCES)

lint: install
	clang-format-14 --dry-run --Werror $(SOURCES)
	cmake --preset ci
	scripts/lint.sh

# All suites of recorded timings and baselines; a picture of simulated against recorded.
regress: build
	./build/longhaul regress $(basename $(notdir $(wildcard scenarios/suites/*.yaml))) --svg build/regress.svg

# One page about the main job: build/report/report.html.
report: build
	rm -rf build/report
	./build/longhaul run eight_cities --out build/report >/dev/null
	./build/longhaul compare eight_cities --schedulers $(SCHEDULERS) --out build/report >/dev/null
	./build/longhaul explain eight_cities --out build/report >/dev/null
	./build/longhaul sweep eight_cities_bandwidth --out build/report/bandwidth >/dev/null
	./build/longhaul report build/report

# Runs the shipped studies and draws the figures of the README.
FIGURES = eight_cities_bandwidth_pflops eight_cities_delay_iteration_seconds eight_cities_upgrades_iteration_seconds \
	number_of_cities_iteration_seconds eight_cities_batch_samples_per_second eight_cities_compression_iteration_seconds
figures: build
	rm -rf build/figures
	for study in $(basename $(notdir $(wildcard scenarios/studies/*.yaml))); do \
	  ./build/longhaul sweep $$study --out build/figures/$$study && \
	  ./build/longhaul report build/figures/$$study --svg build/figures/svg || exit 1; done
	mkdir -p docs/figures
	cp $(patsubst %,build/figures/svg/%.svg,$(FIGURES)) docs/figures/

bench: build
	cmake --build --preset release --target longhaul_bench
	./build/tests/bench/longhaul_bench

clean:
	rm -rf build
