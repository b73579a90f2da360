import type { Reporter, TestModule } from 'vitest/node'
import { type Failure, failureOf, writeResults } from './results.ts'

/** Reports what Vitest ran to the test command. */
export const vitestResults: Reporter = {
  onTestRunEnd(modules, unhandledErrors) {
    const tests = modules.flatMap(({ children }) => [...children.allTests()])
    const count = (state: 'passed' | 'skipped') =>
      tests.filter((test) => test.result().state === state).length
    writeResults({
      passed: count('passed'),
      skipped: count('skipped'),
      failures: [
        ...modules.flatMap(failuresOf),
        ...unhandledErrors.map(({ message }) => failureOf(null, 'outside tests', message)),
      ],
    })
  },
}

/** A module that failed before its first test, or in a hook, counts as one failure. */
function failuresOf(module: TestModule): Failure[] {
  const failed = [...module.children.allTests('failed')].map((test) =>
    failureOf(module.moduleId, test.fullName, test.result().errors?.[0]?.message),
  )
  if (failed.length > 0 || module.state() !== 'failed') return failed
  const errors = [module, ...module.children.allSuites()].flatMap((part) => part.errors())
  return [failureOf(module.moduleId, '', errors[0]?.message)]
}
