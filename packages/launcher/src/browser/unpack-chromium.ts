// Runs as a process of its own, because the package unpacks into its process's temporary folder and reads the environment
// on import to decide whether to unpack system libraries.
import chromium from '@sparticuz/chromium'

console.log(await chromium.executablePath())
