import './palette.css'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Failure } from '#components/failure.tsx'
import { currentCommands, type Command as Deed } from '#lib/browser/commands.ts'
import { screenActions } from '#lib/browser/screen-actions.ts'
import { useDialogKeys } from '#lib/browser/use-keys.ts'
import { usePause } from '#lib/browser/use-pause.ts'
import type { PlaceItem } from './edition-items.ts'
import { KeyCaps } from './key-caps.tsx'
import { matching } from './matching.ts'
import { isSearchable } from './palette-calls.ts'
import { useCanFindMembers, useMembers, usePlaces } from './palette-items.ts'

const mostDeeds = 8
const pauseMs = 150

type Props = { onClose: () => void; onHelp: () => void }

/** Finds anything at the desk, and does what the screen can do. Publishing and sending ask again. */
export function Palette({ onClose, onHelp }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [typed, setTyped] = useState('')
  // Null until the person moves: results that arrive later come first then.
  const [moved, setMoved] = useState<string | null>(null)
  const isMoving = useRef(false)
  const [asked, setAsked] = useState<string | null>(null)
  // The screen's commands are read once: the dialog covers it.
  const [deeds] = useState(() => [...currentCommands(), ...screenActions()])
  const navigate = useNavigate()
  const words = usePause(typed.trim(), pauseMs)
  const { places, isFinding, error } = usePlaces(words)
  const canFindMembers = useCanFindMembers()
  const members = useMembers(asked)
  useEffect(() => {
    dialog.current?.showModal()
    dialog.current?.querySelector('input')?.focus()
  }, [])
  useDialogKeys({ 'mod+k': () => dialog.current?.close() })

  /** Closes first, so that the focus is back where it was. */
  const choose = (run: () => void) => () => {
    dialog.current?.close()
    run()
  }
  const doable = matchingDeeds([...deeds, { name: 'Show the keys', keys: '?', run: onHelp }], typed)
  const [first] = doable
  const place = (item: PlaceItem) => (
    <Row
      key={item.id}
      value={item.id}
      item={item}
      onSelect={choose(() => void navigate({ to: item.path }))}
    />
  )
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc does the same
    <dialog
      ref={dialog}
      className="palette"
      aria-label="Find or do"
      onClose={onClose}
      onClick={({ target }) => target === dialog.current && dialog.current.close()}
    >
      <Command
        shouldFilter={false}
        loop
        label="Find or do"
        value={moved ?? places[0]?.id ?? (first === undefined ? 'find members' : deedValue(first))}
        vimBindings={false}
        onKeyDown={({ key }) => {
          if (/^(?:Arrow(?:Up|Down)|Home|End)$/.test(key)) isMoving.current = true
        }}
        onPointerMove={() => {
          isMoving.current = true
        }}
        onValueChange={(value) => isMoving.current && setMoved(value)}
      >
        <Command.Input
          value={typed}
          maxLength={200}
          placeholder="A title, a day, a person, or something to do"
          onValueChange={(value) => {
            setTyped(value)
            setMoved(null)
            isMoving.current = false
            setAsked(null)
          }}
        />
        <Command.List>
          <Command.Empty>
            {isFinding || words !== typed.trim() ? 'Finding…' : `Nothing here is called “${typed.trim()}”.`}
          </Command.Empty>
          <Group heading="Go to">{places.map(place)}</Group>
          <Group heading="Do">
            {doable.map((deed) => (
              <Row
                key={deedValue(deed)}
                value={deedValue(deed)}
                item={{ title: deed.name, hint: deed.hint ?? '', keys: deed.keys }}
                onSelect={choose(deed.run)}
              />
            ))}
          </Group>
          {canFindMembers && isSearchable(typed.trim()) && (
            <FoundMembers typed={typed.trim()} found={members} asked={asked} ask={setAsked} place={place} />
          )}
        </Command.List>
      </Command>
      <Failure text={(error ?? members.error)?.message ?? null} />
      <p className="palette-foot">
        <KeyCaps keys={['↑', '↓']} /> choose <KeyCaps keys={['↵']} /> open <KeyCaps keys={['Esc']} /> close
        <span>Publishing and sending always ask again.</span>
      </p>
    </dialog>
  )
}

type FoundMembersProps = {
  typed: string
  found: ReturnType<typeof useMembers>
  /** The words that the person asked for; null before that. */
  asked: string | null
  ask: (words: string) => void
  place: (item: PlaceItem) => ReactNode
}

/** The members whose names were asked for: the log notes each search. */
function FoundMembers({ typed, found, asked, ask, place }: FoundMembersProps) {
  if (asked === null)
    return (
      <Group heading="Members">
        <Row
          value="find members"
          item={{ title: `Find “${typed}” among the members`, hint: 'the log notes it' }}
          onSelect={() => ask(typed)}
        />
      </Group>
    )
  return (
    <Command.Group heading="Members">
      {found.members.map(place)}
      {found.members.length === 0 && (
        <p className="palette-none">{found.isFinding ? 'Finding…' : 'No member has this name.'}</p>
      )}
    </Command.Group>
  )
}

function Group({ heading, children }: { heading: string; children: ReactNode[] | ReactNode }) {
  if (Array.isArray(children) && children.length === 0) return null
  return <Command.Group heading={heading}>{children}</Command.Group>
}

type RowProps = {
  value: string
  item: { title: string; hint: string; keys?: string | undefined }
  onSelect: () => void
}

function Row({ value, item: { title, hint, keys }, onSelect }: RowProps) {
  return (
    <Command.Item value={value} onSelect={onSelect}>
      <span className="palette-title">{title}</span>
      {hint !== '' && <span className="palette-hint">{hint}</span>}
      {keys !== undefined && <KeyCaps name={keys} />}
    </Command.Item>
  )
}

function matchingDeeds(deeds: readonly Deed[], words: string): Deed[] {
  const found = matching(
    deeds.map((deed) => ({ deed, title: deed.name, hint: deed.hint ?? '' })),
    words,
  )
  return found.slice(0, words.trim() === '' ? mostDeeds : undefined).map(({ deed }) => deed)
}

function deedValue({ name, hint = '' }: Deed): string {
  return `do ${name} ${hint}`.trim()
}
