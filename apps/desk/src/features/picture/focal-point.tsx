import type { KeyboardEvent, PointerEvent } from 'react'

type Point = { x: number; y: number }
type Props = { focus: Point; onChange: (focus: Point) => void }

const step = 0.02
const arrows = new Map<string, Point>([
  ['ArrowLeft', { x: -step, y: 0 }],
  ['ArrowRight', { x: step, y: 0 }],
  ['ArrowUp', { x: 0, y: -step }],
  ['ArrowDown', { x: 0, y: step }],
])

/** A ring over a picture, on the point that cropping keeps. It follows the pointer and the arrow keys. */
export function FocalPoint({ focus, onChange }: Props) {
  const place = (x: number, y: number) => onChange({ x: rounded(x), y: rounded(y) })
  const follow = ({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>) => {
    const box = currentTarget.getBoundingClientRect()
    place((clientX - box.left) / box.width, (clientY - box.top) / box.height)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const by = arrows.get(event.key)
    if (by === undefined || event.altKey) return
    event.preventDefault()
    place(focus.x + by.x, focus.y + by.y)
  }
  return (
    <button
      type="button"
      className="picture-focus"
      aria-label={`Focal point: ${percent(focus.x)} from the left, ${percent(focus.y)} from the top. Arrow keys move it.`}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        follow(event)
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) follow(event)
      }}
    >
      <span className="picture-ring" style={{ left: percent(focus.x), top: percent(focus.y) }} />
    </button>
  )
}

function rounded(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 100) / 100
}

function percent(value: number): string {
  return `${Math.round(value * 100)}%`
}
