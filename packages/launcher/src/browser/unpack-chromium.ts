// A process of its own, started by chromium.ts: the package unpacks into the temporary folder of its process, and
// decides from the environment, on import, whether to bring its system libraries along.
import chromium from '@sparticuz/chromium'

console.log(await chromium.executablePath())
