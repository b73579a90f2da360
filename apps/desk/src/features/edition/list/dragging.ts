import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { attachClosestEdge, extractClosestEdge } from '@atlaskit/pragmatic-drag-and-drop-hitbox/closest-edge'
import { type RefObject, useEffect, useEffectEvent, useState } from 'react'

/** Where a dragged memo would land: above or below a row. */
export type DropEdge = 'top' | 'bottom'

type Options = {
  row: RefObject<HTMLLIElement | null>
  /** The grip of the open memo; without one, the row is only a place to drop. */
  grip: RefObject<HTMLElement | null>
  place: number
  hasGrip: boolean
  onDrop: (from: number, to: number) => void
}

/** Lets the open memo be dragged by its grip. Returns where it would land in this row. */
export function useDragging({ row, grip, place, hasGrip, onDrop }: Options): DropEdge | null {
  const [edge, setEdge] = useState<DropEdge | null>(null)
  const drop = useEffectEvent(onDrop)
  useEffect(() => {
    const element = row.current
    if (element === null) return
    const target = dropTargetForElements({
      element,
      canDrop: ({ source }) => typeof source.data.place === 'number',
      getData: ({ input }) => attachClosestEdge({}, { element, input, allowedEdges: ['top', 'bottom'] }),
      onDrag({ self, source }) {
        const next = edgeOf(self.data)
        setEdge(isMove(source.data.place, landing(source.data.place, place, next)) ? next : null)
      },
      onDragLeave: () => setEdge(null),
      onDrop({ self, source }) {
        setEdge(null)
        const from = source.data.place
        const to = landing(from, place, edgeOf(self.data))
        if (typeof from === 'number' && isMove(from, to)) drop(from, to)
      },
    })
    if (!hasGrip || grip.current === null) return target
    return combine(
      target,
      draggable({ element, dragHandle: grip.current, getInitialData: () => ({ place }) }),
    )
  }, [row, grip, place, hasGrip])
  return edge
}

function edgeOf(data: Record<string | symbol, unknown>): DropEdge {
  return extractClosestEdge(data) === 'top' ? 'top' : 'bottom'
}

function isMove(from: unknown, to: number): boolean {
  return from !== to
}

/** Returns the place of a memo, from 0, after it was dropped above or below a row. */
function landing(from: unknown, row: number, edge: DropEdge): number {
  const before = edge === 'top' ? row : row + 1
  return typeof from === 'number' && from < before ? before - 1 : before
}
