"""Runs readers of remittances over the suite and prints how many of the expected denials each reads right.

    python compare.py suite.ndjson OVERTURN X12_TYPES

OVERTURN and X12_TYPES are the programs `overturn` and `overturn-suite-x12-types`.

A reader gives the claim payments of a file: `number` (CLP01), `status` (CLP02), `adjustments` as group, reason and amount,
and `remarks`. `standing` makes denials of them, which these libraries leave to the caller. `overturn remit` decides itself.
"""

import functools
import io
import json
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal, InvalidOperation
from pathlib import Path

# What is contractual or the patient's share in the suite. Every other reason is a denial.
NO_DENIAL = {"45", "1", "2", "3"}


def standing(files):
    """The denials after all files: number, amount and codes. A reversal takes the answer before it away."""
    answers = {}
    for payment in (payment for file in files for payment in file or []):
        if payment["status"] == "22":
            answers.pop(payment["number"], None)
        else:
            answers[payment["number"]] = payment
    denials = set()
    for number, payment in answers.items():
        denied = [one for one in payment["adjustments"] if one[1] not in NO_DENIAL]
        amount = sum(Decimal(str(one[2])) for one in denied)
        if amount > 0:
            codes = {f"{group}-{reason}" for group, reason, _ in denied} | set(payment["remarks"])
            denials.add((number, f"{amount:.2f}", frozenset(codes)))
    return denials


@functools.cache
def pyx12_with_maps():
    """pyx12, which would load its maps again for every file. What it reads is the same, and takes a twentieth of the time."""
    import pyx12.error_handler
    import pyx12.map_if
    import pyx12.map_index
    import pyx12.params
    import pyx12.x12context

    load, loaded = pyx12.map_if.load_map_file, {}
    pyx12.map_if.load_map_file = lambda name, *rest: loaded.get(name) or loaded.setdefault(name, load(name, *rest))
    pyx12.map_index.map_index = functools.cache(pyx12.map_index.map_index)
    return pyx12


def of_pyx12(text):
    pyx12 = pyx12_with_maps()
    reader = pyx12.x12context.X12ContextReader(
        pyx12.params.params(), pyx12.error_handler.errh_null(), io.StringIO(text, newline="")
    )
    payments = []
    for node in reader.iter_segments("2100"):
        if node.id != "2100":
            continue
        adjustments, remarks = [], []
        for segment in (found["segment"] for found in node.iterate_segments()):
            value = lambda at, segment=segment: segment.get_value(f"{at:02}")
            if segment.get_seg_id() == "CAS":
                trios = ((value(at), value(at + 1)) for at in range(2, 20, 3))
                adjustments += [(value(1), reason, amount) for reason, amount in trios if reason]
            elif segment.get_seg_id() == "LQ":
                remarks.append(value(2))
            elif segment.get_seg_id() == "MOA":
                remarks += [value(at) for at in range(3, 8) if value(at)]
        number, status = node.get_value("CLP01"), node.get_value("CLP02")
        payments.append({"number": number, "status": status, "adjustments": adjustments, "remarks": remarks})
    return payments


def of_edi_835_parser(text):
    from edi_835_parser import parse

    with tempfile.NamedTemporaryFile("w", suffix=".835", newline="") as file:
        file.write(text)
        file.flush()
        sets = parse(file.name).transaction_sets
    payments = []
    for loop in (loop for one in sets for loop in one.claims):
        adjustments = [
            (one.group_code.code, one.reason_code.code, one.amount) for line in loop.services for one in line.adjustments
        ]
        remarks = [one.code.code for line in loop.services for one in line.remarks]
        status = loop.claim.status.code
        payments.append({"number": loop.claim.marker, "status": status, "adjustments": adjustments, "remarks": remarks})
    return payments


def in_python(read):
    """A reader of one file at a time as one of all cases. A file that it fails on has no payments."""

    def of_case(case):
        files, failed = [], 0
        for text in case["remittances"]:
            try:
                files.append(read(text))
            except Exception:  # Whatever a reader raises, it did not read the file.
                files.append(None)
                failed += 1
        try:
            return standing(files), failed
        except InvalidOperation:
            return set(), failed

    return lambda cases: map(of_case, cases)


def x12_types(program):
    def of_cases(cases):
        text = "".join(json.dumps(case) + "\n" for case in cases)
        output = subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout
        for files in map(json.loads, output.splitlines()):
            yield standing(files), files.count(None)

    return of_cases


def overturn(program):
    def of_case(case):
        with tempfile.TemporaryDirectory() as folder:
            for at, text in enumerate(case["remittances"]):
                Path(folder, f"{at:02}.835").write_text(text, newline="")
            claims = Path(folder, "claims.837")
            claims.write_text(case["claims"], newline="")
            command = [program, "remit", "--json", folder]
            output = subprocess.run(command, capture_output=True, text=True)
        cut = {one["claim_number"]: one["reported_number"] for one in case["expected"]}
        claims = (json.loads(line).get("claim") for line in output.stdout.splitlines())
        denials = {
            (cut.get(one["claim_number"], one["claim_number"]), one["denied_amount"], frozenset(one["denial_codes"]))
            for one in claims
            if one
        }
        events = [json.loads(line) for line in output.stderr.splitlines() if line.startswith("{")]
        return denials, sum(one.get("state", "whole") != "whole" for one in events if one.get("event") == "file")

    def of_cases(cases):
        with ThreadPoolExecutor(2) as pool:
            yield from pool.map(of_case, cases)

    return of_cases


def main(suite, our_program, x12_types_program):
    warnings.simplefilter("ignore")
    with open(suite, encoding="ascii") as file:
        cases = [json.loads(line) for line in file]
    readers = {
        "Overturn": overturn(our_program),
        "`pyx12` 4.0.0": in_python(of_pyx12),
        "`x12-types` 0.12.0": x12_types(x12_types_program),
        "`edi-835-parser` 1.8.0": in_python(of_edi_835_parser),
    }
    total, payers = Counter(), sorted({case["payer"] for case in cases})
    for case in cases:
        total[case["payer"]] += len(case["expected"])
    files = sum(len(case["remittances"]) for case in cases)
    names = ["reader", *(f"{payer} ({total[payer]})" for payer in payers), f"all ({total.total()})", "wrong"]
    names.append(f"files not read ({files})")
    print("| " + " | ".join(names) + " |\n|" + " --- |" * len(names))
    for name, reader in readers.items():
        right, wrong, failed = Counter(), 0, 0
        for case, (found, unread) in zip(cases, reader(cases), strict=True):
            expected = {
                (one["reported_number"], one["denied_amount"], frozenset(one["denial_codes"])) for one in case["expected"]
            }
            right[case["payer"]] += len(found & expected)
            wrong += len(found - expected)
            failed += unread
        row = [name, *(right[payer] for payer in payers), right.total(), wrong, failed]
        print("| " + " | ".join(map(str, row)) + " |", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
