"""The command line as `python -m pincite`. Python puts the working directory first on its path; it is removed here."""

import sys

if not sys.flags.safe_path:
    del sys.path[0]

from pincite.cli.main import main  # noqa: E402

if __name__ == "__main__":
    main()
