import { useId } from 'react'

interface SwitchProps {
  label: string
  hint: string
  checked: boolean
  onChange: (checked: boolean) => void
  /** Can't be changed; unlike `busy` it isn't focusable. */
  disabled?: boolean
  /** Ignores presses while the last one is being saved, and keeps the focus. */
  busy?: boolean
}

/** A setting that is on or off, with an explanation below. */
export function Switch({ label, hint, checked, onChange, disabled = false, busy = false }: SwitchProps) {
  const id = useId()
  return (
    <div>
      <label className="flex cursor-pointer items-center gap-3 has-disabled:cursor-default has-disabled:opacity-50">
        <input
          type="checkbox"
          role="switch"
          checked={checked}
          aria-checked={checked}
          aria-disabled={busy || undefined}
          disabled={disabled}
          onChange={({ currentTarget }) => {
            if (!busy) onChange(currentTarget.checked)
          }}
          aria-describedby={id}
          className="size-4 shrink-0 accent-gold"
        />
        <span className="text-sm font-medium">{label}</span>
      </label>
      <p id={id} className="mt-1 pl-7 text-[0.8125rem] leading-snug text-pretty text-muted-foreground">
        {hint}
      </p>
    </div>
  )
}
