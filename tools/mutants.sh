#!/bin/sh
# Mutation testing with cosmic-ray, in a copy of the project: `make mutants MODULE=engine/rules.py TESTS="tests/..."`.
set -eu
git checkout --quiet -- "$MODULE"  # an interrupted run may have left a mutation
if [ ! -e ready ]; then
    cat > mutants.toml <<EOF
[cosmic-ray]
module-path = "$MODULE"
timeout = 60.0
excluded-modules = []
test-command = "python -m pytest -q -x -p no:cacheprovider $TESTS"
[cosmic-ray.distributor]
name = "local"
[cosmic-ray.filters.operators-filter]
# Types, and another spelling of the same comparison.
exclude-operators = ["core/ReplaceBinaryOperator_BitOr_.*", "core/ReplaceComparisonOperator_(?!Is).*_Is(Not)?$"]
EOF
    cosmic-ray baseline mutants.toml
    cosmic-ray init mutants.toml mutants.sqlite --force
    cr-filter-operators mutants.sqlite mutants.toml
    touch ready
fi
cosmic-ray --verbosity INFO exec mutants.toml mutants.sqlite
cr-report --surviving-only --show-diff mutants.sqlite
