#!/bin/sh
# What `make demo` shows: the sample customer from a cold start.
set -e
dossier=${BUILD:-build}/dossier
customer=templates/customers/acme-cloud.yaml
out=${BUILD:-build}/acme-cloud-proposal.md

echo "== dossier list archetypes"
"$dossier" list archetypes
echo
echo "== dossier advise $customer"
"$dossier" advise "$customer"
echo "== dossier propose $customer -o $out"
"$dossier" propose "$customer" -o "$out"
cat "$out"
echo
echo "The proposal is in $out; the internal brief: $dossier brief $customer"
