import { testFiles } from './files.js';

// In one file, so that what the tests share is loaded once for each fault.
for (const file of testFiles(false)) require(file);
