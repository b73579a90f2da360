import { describe, expect, it } from 'vitest'
import { type Toast, toastsReducer } from './toasts.ts'

function show(toasts: readonly Toast[], id: number) {
  return toastsReducer(toasts, { type: 'shown', id, kind: 'blank', text: `Toast ${id}` })
}

describe('toastsReducer', () => {
  it('puts the newest toast on top', () => {
    expect(show(show([], 1), 2).map(({ id }) => id)).toEqual([2, 1])
  })

  it('keeps only the newest 20 toasts', () => {
    let toasts: readonly Toast[] = []
    for (let id = 1; id <= 25; id += 1) toasts = show(toasts, id)
    expect(toasts).toHaveLength(20)
    expect(toasts[0]?.id).toBe(25)
    expect(toasts.at(-1)?.id).toBe(6)
  })

  it('turns a loading toast into a success in place', () => {
    const loading = toastsReducer(show([], 1), { type: 'shown', id: 2, kind: 'loading', text: 'Saving' })
    const done = toastsReducer(loading, { type: 'shown', id: 2, kind: 'success', text: 'Saved' })
    expect(done.map(({ kind, text }) => `${kind} ${text}`)).toEqual(['success Saved', 'blank Toast 1'])
  })

  it('merges a toast with an identical one, which is visible again', () => {
    const fading = toastsReducer(show(show([], 1), 2), { type: 'dismissed', id: 1 })
    const merged = toastsReducer(fading, { type: 'shown', id: 3, kind: 'blank', text: 'Toast 1' })
    expect(merged).toMatchObject([
      { id: 2, times: 1 },
      { id: 1, times: 2, isVisible: true },
    ])
  })

  it.each([
    ['another kind', { kind: 'error', text: 'Toast 1' }],
    ['another text', { kind: 'blank', text: 'Toast 2' }],
  ] as const)('does not merge a toast with one of %s', (_what, toast) => {
    expect(toastsReducer(show([], 1), { type: 'shown', id: 2, ...toast })).toHaveLength(2)
  })

  it('does not merge loading toasts, which end separately', () => {
    const loading = { type: 'shown', kind: 'loading', text: 'Saving' } as const
    const first = toastsReducer([], { ...loading, id: 1 })
    expect(toastsReducer(first, { ...loading, id: 2 })).toHaveLength(2)
  })

  it('makes a toast invisible before it is removed', () => {
    const invisible = toastsReducer(show([], 1), { type: 'dismissed', id: 1 })
    expect(invisible).toMatchObject([{ id: 1, isVisible: false }])
    expect(toastsReducer(invisible, { type: 'removed', id: 1 })).toEqual([])
  })
})
