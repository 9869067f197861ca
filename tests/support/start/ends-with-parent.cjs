// Loaded into a process before its own code. Its standard input closes when the process that started it is gone, however
// that ended; then nobody would stop it any more.
process.stdin.on('end', () => process.exit(1)).resume();
process.stdin.unref?.();
