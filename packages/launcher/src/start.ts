import { launch } from './launch.ts'
import { runTurbo } from './process/turbo.ts'

await launch({
  command: 'start',
  async prepare(progress, signal) {
    await progress.step('Building (only what changed)', async () => {
      const { succeeded, output } = await runTurbo(['build'], { signal })
      if (!succeeded) throw new Error(`The build failed:\n${output.trim()}`)
    })
  },
  site: {},
})
