// npm and npx pass signals to the shell that runs their command, and Debian's shell ends without passing them on. So
// this process ends with its shell. Loaded as early as possible, because the shell can end at any time.
if (process.env.npm_lifecycle_event) {
  const shell = process.ppid;
  setInterval(() => process.ppid === shell || process.kill(process.pid, 'SIGTERM'), 200).unref();
}
