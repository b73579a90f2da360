import { beforeEach, describe, expect, it } from 'vitest'
import { createStore } from '../storage/store.ts'
import { findDraft, removeDrafts, saveDraft } from './member-drafts.ts'

const store = createStore(() => window.sessionStorage)
const ada = { member: 'mem_ada', name: 'comment:one' }
const bob = { member: 'mem_bob', name: 'comment:one' }

beforeEach(() => {
  window.sessionStorage.clear()
  saveDraft(store, ada, 'Ada wrote this')
})

describe('a draft', () => {
  it('is found by its member, where it was written, until it is sent', () => {
    saveDraft(store, { ...ada, name: 'comment:two' }, 'Another')
    expect(findDraft(store, ada)).toBe('Ada wrote this')
    saveDraft(store, ada, '')
    expect(findDraft(store, ada)).toBeNull()
    expect(findDraft(store, { ...ada, name: 'comment:two' })).toBe('Another')
  })

  it('is not another member’s, whose first draft replaces it', () => {
    expect(findDraft(store, bob)).toBeNull()
    saveDraft(store, bob, 'Bob wrote this')
    expect([findDraft(store, ada), findDraft(store, bob)]).toEqual([null, 'Bob wrote this'])
    expect(JSON.stringify({ ...window.sessionStorage })).not.toContain('Ada')
  })

  it('stays when another member’s is sent late', () => {
    saveDraft(store, bob, '')
    expect(findDraft(store, ada)).toBe('Ada wrote this')
  })

  it.each([
    [null, null],
    ['mem_bob', null],
    ['mem_ada', 'Ada wrote this'],
  ])('is removed unless its member stays: %s', (except, left) => {
    removeDrafts(store, { except })
    expect(findDraft(store, ada)).toBe(left)
  })

  it('is none where the browser has something else', () => {
    window.sessionStorage.setItem('tidings:drafts', '{"member":1}')
    expect(findDraft(store, ada)).toBeNull()
  })
})
