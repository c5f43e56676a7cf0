"""``python hallu_site/tether.py PARENT COMMAND …``: runs a command that ends when its parent does.

On Linux the kernel is asked to send TERM when the parent dies, and the command takes this process's place.
Elsewhere this process stays and looks after its parent once a second. Standard library only: nothing of the
product is loaded before the command.
"""

import ctypes
import os
import platform
import signal
import subprocess
import sys
import time

PR_SET_PDEATHSIG = 1


def tether(command: list[str], parent: int) -> int:
    """Run ``command`` for as long as process ``parent`` lives; its exit code where it does not replace us."""
    if platform.system() == "Linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() == parent:  # else it died before the kernel was asked
            os.execvp(command[0], command)  # noqa: S606 - the supervisor's own command line
        return 1
    return _look_after(subprocess.Popen(command), parent)  # noqa: S603


def _look_after(child: subprocess.Popen[bytes], parent: int) -> int:
    signal.signal(signal.SIGTERM, lambda *_: child.terminate())
    while child.poll() is None:
        if os.getppid() != parent:
            child.terminate()
        time.sleep(1)
    return child.returncode


if __name__ == "__main__":
    sys.exit(tether(sys.argv[2:], int(sys.argv[1])))
