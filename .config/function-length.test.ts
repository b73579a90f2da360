import { describe, expect, it } from 'vitest'
import { checkFunctionLengths, findLongFunctions } from './function-length.ts'

const lines = (count: number) => '  call()\n'.repeat(count)

describe('findLongFunctions', () => {
  it('accepts a function of 100 lines, and finds one of 101', () => {
    const text = `function short() {\n${lines(98)}}\nfunction long() {\n${lines(99)}}\n`

    expect(findLongFunctions('a.ts', text)).toEqual([{ file: 'a.ts', name: 'long', lines: 101 }])
  })

  it('counts comments and empty lines', () => {
    const text = `function long() {\n${lines(50)}${'\n'.repeat(25)}${'  // why\n'.repeat(24)}}\n`

    expect(findLongFunctions('a.ts', text)).toMatchObject([{ name: 'long', lines: 101 }])
  })

  it.each([
    ['a method', `const service = {\n  long() {\n${lines(99)}  },\n}`],
    ['a function of a property', `const service = {\n  long: () => {\n${lines(99)}  },\n}`],
    ['a constant', `const long = () => {\n${lines(99)}}`],
    ['a function with a callback', `function long() {\n  return each(() => {\n${lines(97)}  })\n}`],
    ['a component', `export function long() {\n  return (\n    <div>\n${lines(95)}    </div>\n  )\n}`],
  ])('names %s', (_, text) => {
    expect(findLongFunctions('a.tsx', text)).toMatchObject([{ name: 'long' }])
  })

  it('accepts a long callback in a test, but no long function there', () => {
    const callback = `describe('a thing', () => {\n${lines(120)}})\n`
    const helper = `function long() {\n${lines(120)}}\n`

    expect(findLongFunctions('a.test.ts', callback)).toEqual([])
    expect(findLongFunctions('a.ts', callback)).toHaveLength(1)
    expect(findLongFunctions('a.test.ts', helper)).toMatchObject([{ name: 'long' }])
  })
})

describe('checkFunctionLengths', () => {
  it('names each function that is too long, with its file and length', () => {
    const found = findLongFunctions('a.ts', `function long() {\n${lines(99)}}\n`)

    expect(checkFunctionLengths(found)).toEqual(['a.ts: long has 101 lines'])
  })
})
