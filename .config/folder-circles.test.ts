import { expect, it } from 'vitest'
import { checkFolderCircles, type ImportingModule } from './folder-circles.ts'

/** Returns modules from lines of the form `file → imported file`. */
function modulesOf(...lines: string[]): ImportingModule[] {
  const imports = lines.map((line) => line.split(' → '))
  return [...new Set(imports.flat())].map((source) => ({
    source,
    dependencies: imports.filter(([from]) => from === source).map(([, resolved = '']) => ({ resolved })),
  }))
}

it('accepts folders that import in one direction', () => {
  const modules = modulesOf('src/a/one.ts → src/b/two.ts', 'src/b/two.ts → src/c/three.ts')

  expect(checkFolderCircles(modules)).toEqual([])
})

it('finds two folders that import each other through different files', () => {
  const modules = modulesOf('src/a/one.ts → src/b/two.ts', 'src/b/three.ts → src/a/four.ts')

  expect(checkFolderCircles(modules)).toEqual(['src/a ↔ src/b'])
})

it('finds a circle of three folders, and not the folder that enters it', () => {
  const modules = modulesOf(
    'src/main.ts → src/a/one.ts',
    'src/a/one.ts → src/b/two.ts',
    'src/b/two.ts → src/c/three.ts',
    'src/c/three.ts → src/a/four.ts',
  )

  expect(checkFolderCircles(modules)).toEqual(['src/a ↔ src/b ↔ src/c'])
})

it('finds a folder and one inside it that import each other', () => {
  const modules = modulesOf('src/a/one.ts → src/a/inner/two.ts', 'src/a/inner/two.ts → src/a/three.ts')

  expect(checkFolderCircles(modules)).toEqual(['src/a ↔ src/a/inner'])
})

it.each([
  ['a door', 'src/a/index.ts'],
  ["a feature's routes", 'src/features/a/a.routes.ts'],
])('accepts %s that imports from below its own folder', (_, composes) => {
  const folder = composes.replace(/\/[^/]+$/, '')
  const modules = modulesOf(
    `${composes} → ${folder}/inner/two.ts`,
    `${folder}/inner/two.ts → ${folder}/one.ts`,
  )

  expect(checkFolderCircles(modules)).toEqual([])
})

it.each(['src/b/two.test.ts', 'src/testing/two.ts', 'apps/api/test/two.ts'])(
  'ignores what the test code in %s imports',
  (test) => {
    const modules = modulesOf(`src/a/one.ts → ${test}`, `${test} → src/a/one.ts`)

    expect(checkFolderCircles(modules)).toEqual([])
  },
)
