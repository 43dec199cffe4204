"""The ledger, the totals, the comparison and the verdict."""
