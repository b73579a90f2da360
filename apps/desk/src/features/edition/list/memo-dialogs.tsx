import { useMutation } from '@tanstack/react-query'
import { formatEditionKey, parseEditionKey } from '@tidings/contracts/edition-key'
import { useId, useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { Modal } from '#components/modal.tsx'
import { useDeskConfig } from '#lib/desk-context.ts'
import { deleteMemo, moveToEdition } from '../state/edition-calls.ts'
import type { MemoRow } from '../state/memo-rows.ts'

type Props = { row: MemoRow; close: () => void }
type MoveProps = Props & { editionKey: string; onMoved: (to: string, version: number) => void }
type DeleteProps = Props & { onDeleted: () => void }

/** Moves a memo to the end of another edition. */
export function MoveDialog({ editionKey, row, close, onMoved }: MoveProps) {
  const { slots } = useDeskConfig()
  const own = parseEditionKey(editionKey)
  const [day, setDay] = useState(own === null ? '' : isoDay(editionKey))
  const [slot, setSlot] = useState(own?.slot ?? '')
  const ids = { day: useId(), slot: useId() }
  const move = useMutation({
    mutationFn: () => moveToEdition(row.id, { edition: keyOf(day, slot) }, row.version),
    onSuccess: ({ edition, version }) => onMoved(edition, version),
  })
  return (
    <Modal title="Move to another edition" close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          move.mutate()
        }}
      >
        <label htmlFor={ids.day}>Day</label>
        <input
          id={ids.day}
          type="date"
          required
          value={day}
          onChange={({ target }) => setDay(target.value)}
        />
        <label htmlFor={ids.slot}>Slot</label>
        <select id={ids.slot} value={slot} onChange={({ target }) => setSlot(target.value)}>
          {slots.map(({ label }) => (
            <option key={label}>{label}</option>
          ))}
        </select>
        <Failure text={move.error?.message ?? null} canClose />
        <div className="actions">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button
            type="submit"
            className="filled"
            disabled={move.isPending || keyOf(day, slot) === editionKey}
          >
            Move
          </button>
        </div>
      </form>
    </Modal>
  )
}

/** Deletes a memo that readers don't have. */
export function DeleteDialog({ row, close, onDeleted }: DeleteProps) {
  const { id, version, title } = row
  const remove = useMutation({
    mutationFn: () => deleteMemo(id, { version, isPrivate: row.state === 'Private' }),
    onSuccess: onDeleted,
  })
  return (
    <Modal title={title === '' ? 'Delete this memo?' : `Delete “${title}”?`} close={close}>
      <p>It can be brought back for 30 days.</p>
      <Failure text={remove.error?.message ?? null} canClose />
      <div className="actions">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <button type="button" className="filled" disabled={remove.isPending} onClick={() => remove.mutate()}>
          Delete
        </button>
      </div>
    </Modal>
  )
}

function isoDay(key: string): string {
  return `20${key.slice(6, 8)}-${key.slice(0, 2)}-${key.slice(3, 5)}`
}

function keyOf(isoDate: string, slot: string): string {
  const [year = 0, month = 0, day = 0] = isoDate.split('-').map(Number)
  return formatEditionKey({ year, month, day }, slot)
}
