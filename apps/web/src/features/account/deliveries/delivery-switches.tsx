import {
  type ChosenMethods,
  type DeliveryMethod,
  deliveryMethods,
  exclusionNote,
  factsOf,
  methodsOf,
  storedMethods,
  withMethod,
} from '@tidings/contracts/delivery/methods'
import type { Member } from '@tidings/contracts/membership/members'
import { Switch } from '#components/forms/switch.tsx'

/** The state of the switches, and the changes under way. */
export type Switches = { methods: ChosenMethods; asked: ReadonlySet<DeliveryMethod> }

/** Returns the switches as the member's fields set them. */
export function switchesOf({ customFields }: Member): Switches {
  return { methods: methodsOf(customFields), asked: storedMethods(customFields) }
}

const switchesId = 'switches'

/** Leads to the switches of the screen. */
export function focusSwitches(): void {
  document.getElementById(switchesId)?.querySelector('input')?.focus()
}

type DeliverySwitchesProps = { switches: Switches; onChange: (switches: Switches) => void }

/** The switches of the delivery methods, and what one of them excludes. */
export function DeliverySwitches({ switches: { methods, asked }, onChange }: DeliverySwitchesProps) {
  function choose(method: DeliveryMethod, isOn: boolean) {
    const others = [...methods].filter((other) => other !== method)
    onChange({
      methods: withMethod(methods, method, isOn),
      asked: new Set(isOn ? [...others, method] : others),
    })
  }

  return (
    <fieldset className="switches" id={switchesId}>
      <legend className="visually-hidden">What you receive</legend>
      {deliveryMethods.map((method) => (
        <Switch
          key={method}
          label={factsOf(method).label}
          checked={methods.has(method)}
          onChange={(isOn) => choose(method, isOn)}
        />
      ))}
      <p role="status" className="switches-note">
        {exclusionNote(asked, methods)}
      </p>
    </fieldset>
  )
}
