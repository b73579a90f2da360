import { describe, expect, it } from 'vitest'
import { createStore } from './store.ts'

describe('a store', () => {
  it('keeps texts in the browser’s storage', () => {
    const store = createStore(() => window.localStorage)
    store.set('key', 'text')
    expect(window.localStorage.getItem('key')).toBe('text')
    store.remove('key')
    expect(store.get('key')).toBeNull()
  })

  it('keeps what the browser refuses to store until the page closes', () => {
    const store = createStore(() => {
      throw new Error('Storage is switched off')
    })
    store.set('key', 'text')
    expect(store.get('key')).toBe('text')
    store.remove('key')
    expect(store.get('key')).toBeNull()
  })
})
