import { useEffect, useEffectEvent } from 'react'
import { addKeys, type Keys, type Place } from './key-dispatch.ts'

/** Binds keys while the component is shown. Single letters work outside texts and dialogs, and can be turned off. */
export function useKeys(keys: Keys): void {
  useKeysIn('screen', keys)
}

/** Binds keys on every screen. Those of a screen come first. */
export function useFrameKeys(keys: Keys): void {
  useKeysIn('frame', keys)
}

/** Binds keys that work in a dialog, also in its texts. */
export function useDialogKeys(keys: Keys): void {
  useKeysIn('dialog', keys)
}

function useKeysIn(place: Place, keys: Keys): void {
  const latest = useEffectEvent(() => keys)
  useEffect(() => addKeys({ place, keys: () => latest() }), [place])
}
