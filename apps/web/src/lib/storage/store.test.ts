import { describe, expect, it } from 'vitest'
import { createStore } from './store.ts'

describe('a store', () => {
  it('stores values in the browser’s storage', () => {
    const store = createStore(() => window.localStorage)
    store.set('key', 'text')
    expect(window.localStorage.getItem('key')).toBe('text')
    store.remove('key')
    expect(store.get('key')).toBeNull()
  })

  it('keeps values in memory when the browser’s storage is unavailable', () => {
    const store = createStore(() => {
      throw new Error('Storage is disabled')
    })
    store.set('key', 'text')
    expect(store.get('key')).toBe('text')
    store.remove('key')
    expect(store.get('key')).toBeNull()
  })

  it('reports the changes of other tabs, in its own storage only', () => {
    const changes: unknown[] = []
    const stop = createStore(() => window.localStorage).subscribe((change) => changes.push(change))
    const change = { key: 'key', oldValue: null, newValue: 'text' }
    window.dispatchEvent(new StorageEvent('storage', { ...change, storageArea: window.sessionStorage }))
    expect(changes).toEqual([])
    window.dispatchEvent(new StorageEvent('storage', { ...change, storageArea: window.localStorage }))
    expect(changes).toEqual([{ key: 'key', before: null, after: 'text' }])
    stop()
    window.dispatchEvent(new StorageEvent('storage', { ...change, storageArea: window.localStorage }))
    expect(changes).toHaveLength(1)
  })
})
