"""Parses one remittance with edi-835-parser and prints the CPU seconds and the number of claims."""

import sys
import time

from edi_835_parser import parse

began = time.process_time()
claims = sum(len(one.claims) for one in parse(sys.argv[1]).transaction_sets)
print(time.process_time() - began, claims)
