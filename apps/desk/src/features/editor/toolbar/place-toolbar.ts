import type { EditorView } from 'prosemirror-view'

const gap = 8

/** Places the toolbar above the selection, within its editor. On small screens the style sheet places it. */
export function placeToolbar(toolbar: HTMLDivElement | null, view: EditorView): void {
  const frame = toolbar?.parentElement?.getBoundingClientRect()
  if (toolbar === null || frame === undefined) return
  const start = view.coordsAtPos(view.state.selection.from)
  const { width, height } = toolbar.getBoundingClientRect()
  const left = Math.max(0, Math.min(start.left - frame.left, frame.width - width))
  toolbar.style.setProperty('--left', `${left}px`)
  toolbar.style.setProperty('--top', `${start.top - frame.top - height - gap}px`)
}

/** Keeps a toolbar at the lower edge of the screen above the keyboard. Returns how to stop it. */
export function followKeyboard(toolbar: HTMLDivElement): () => void {
  const { visualViewport } = window
  if (visualViewport === null) return () => {}
  const place = () => {
    const covered = window.innerHeight - visualViewport.height - visualViewport.offsetTop
    toolbar.style.setProperty('--keyboard', `${Math.max(0, covered)}px`)
  }
  place()
  visualViewport.addEventListener('resize', place)
  visualViewport.addEventListener('scroll', place)
  return () => {
    visualViewport.removeEventListener('resize', place)
    visualViewport.removeEventListener('scroll', place)
  }
}
