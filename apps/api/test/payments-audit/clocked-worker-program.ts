import { readConfig } from '#config/config.ts'
import { processSettings } from '#config/env.ts'
import { createContext } from '../../src/context.ts'
import { registerJobs } from '../../src/jobs.ts'
import { createFixedClock } from '../factories/fixed-clock.ts'
import { locationsFrom } from '../faults/locations-of-test.ts'

/** Works as `src/worker.ts` does, at the time that the parent process sends. Confirms each time. */
async function main(): Promise<void> {
  const clock = createFixedClock(new Date(0))
  const told = Promise.withResolvers<void>()
  process.on('message', (instant) => {
    clock.moveTo(new Date(String(instant)))
    told.resolve()
    process.send?.('moved')
  })
  process.on('disconnect', () => process.exit())
  await told.promise
  const context = createContext(readConfig(processSettings(), locationsFrom('')), 'worker', { clock })
  registerJobs(context)
  await context.start({ jobs: true, listening: false })
  process.send?.('working')
}

await main()
