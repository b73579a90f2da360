import { describe, expect, test } from 'vitest'
import { isRepliedByTwilio, keywordOf } from './keywords.ts'

describe('keywordOf', () => {
  test.each([
    ['STOP', 'stop', true],
    [' stop\n', 'stop', true],
    ['StopAll', 'stop', true],
    ['Stop all!', 'stop', false],
    ['S T O P', 'stop', false],
    ['unsubscribe', 'stop', true],
    ['Cancel.', 'stop', false],
    ['END', 'stop', true],
    ['quit', 'stop', true],
    ['Start', 'start', true],
    ['UN-STOP', 'start', false],
    ['help', 'help', true],
    ['Please do not stop', null, false],
    ['constructor', null, false],
    ['', null, false],
  ])('%j', (body, keyword, isReplied) => {
    expect([keywordOf(body), isRepliedByTwilio(body)]).toEqual([keyword, isReplied])
  })
})
