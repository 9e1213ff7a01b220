import { type FormEvent, type ReactNode, useId, useMemo, useState } from 'react'
import { requestClaimChallenge, useAddressForm } from '@/api/redemptions'
import { useLanguage, useT } from '@/i18n'
import { countryName } from '@/lib/format'
import { errorText } from '@/i18n/error-text'
import { ApiError } from '@/contract/error'
import type { Address, AddressField, ClaimTerms } from '@/contract/types'
import { toast } from '@/lib/toast'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { Loaded } from '@/components/ui/loaded'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import { Spinner } from '@/components/ui/spinner'
import { StepPanel } from './step-panel'
import { redemptionsTexts } from './texts'

interface AddressStepProps {
  terms: ClaimTerms
  items: string[]
  address: Partial<Address>
  onChange: (address: Partial<Address>) => void
  onBack: () => void
  onNext: (address: Address) => void
}

type Problems = Readonly<Record<string, string>>

const prefix = 'address.'

/** What the server says of an address's fields, by their names. */
function problemsOf(error: unknown): Problems {
  const fields = error instanceof ApiError ? Object.entries(error.fields) : []
  return Object.fromEntries(
    fields.filter(([name]) => name.startsWith(prefix)).map(([name, why]) => [name.slice(prefix.length), why]),
  )
}

/** Where to. The fields are those that the server has for the country, and it is the server that checks them. */
export function AddressStep({ terms, items, address, onChange, onBack, onNext }: AddressStepProps) {
  const texts = useT()
  const t = redemptionsTexts.useT().flow
  const language = useLanguage()
  const [problems, setProblems] = useState<Problems>({})
  const [pending, setPending] = useState(false)
  const { country = '', region = '', city = '' } = address
  const asked = useAddressForm({ country, language: language === 'zh' ? 'zh' : 'en', region, city })
  const fields = asked.data?.fields ?? []

  function change(name: keyof Address, value: string) {
    const { [name]: _, ...others } = problems
    setProblems(others)
    const below = (moot[name] ?? []).filter((one) => name === 'country' || isChoice(fields, one))
    const kept = Object.entries({ ...address, [name]: value }).filter(([key]) => !below.some((one) => one === key))
    onChange(Object.fromEntries(kept))
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const used = ['country', ...fields.map(({ name }) => name)]
    const given = Object.fromEntries(Object.entries(address).filter(([name, value]) => value && used.includes(name)))
    const asking = { name: '', line1: '', country, ...given }
    const missing = fields
      .filter(({ name, required }) => required && !given[name])
      .map(({ name }) => [name, 'is required'])
    if (missing.length > 0) return refuse(form, Object.fromEntries(missing) as Problems)
    setPending(true)
    requestClaimChallenge({ inventoryIds: items, address: asking })
      .then((answer) => onNext(answer.address))
      .catch((error: unknown) => {
        const found = problemsOf(error)
        if (Object.keys(found).length > 0) refuse(form, found)
        else toast({ title: t.signFailed, description: errorText(error, texts), variant: 'destructive' })
      })
      .finally(() => setPending(false))
  }

  function refuse(form: HTMLFormElement, found: Problems) {
    setProblems(found)
    requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }

  return (
    <StepPanel title={t.addressTitle} text={t.addressText(terms.addressKeptDays)}>
      <form noValidate onSubmit={submit} className="mt-5">
        <div className="grid grid-cols-2 gap-x-4 gap-y-5">
          <Country
            terms={terms}
            value={country}
            problem={problems['country']}
            onChange={(to) => change('country', to)}
          />
          {country !== '' && (
            <Loaded
              query={asked}
              failed={t.addressFailed}
              line="col-span-2"
              skeleton={<Skeleton className="col-span-2 h-72 rounded-xl" />}
            >
              {(form) =>
                form.fields.map((field) => (
                  <Part
                    key={field.name}
                    field={field}
                    value={address[field.name] ?? ''}
                    problem={problems[field.name]}
                    onChange={(to) => change(field.name, to)}
                  />
                ))
              }
            </Loaded>
          )}
        </div>
        <div className="mt-6 flex justify-between gap-3 border-t pt-5">
          <Button variant="secondary" onClick={onBack}>
            {t.back}
          </Button>
          <Button type="submit" disabled={pending || !asked.data}>
            {pending && <Spinner />}
            <span>{t.next}</span>
          </Button>
        </div>
      </form>
    </StepPanel>
  )
}

/** What a change makes moot: cities are those of a region. */
const moot: Partial<Record<keyof Address, readonly (keyof Address)[]>> = {
  country: ['region', 'city', 'district', 'postalCode'],
  region: ['city', 'district'],
  city: ['district'],
}

/** What is typed freely is as right as before; of another region's or city's choices none is. */
function isChoice(fields: readonly AddressField[], name: keyof Address): boolean {
  return fields.some((field) => field.name === name && isListed(field))
}

const isListed = ({ options, within }: AddressField) => options !== undefined || within !== undefined

interface ControlProps {
  value: string
  problem: string | undefined
  onChange: (value: string) => void
}

function Country({ terms, value, problem, onChange }: ControlProps & { terms: ClaimTerms }) {
  const t = redemptionsTexts.useT().flow
  const language = useLanguage()
  const countries = useMemo(() => {
    const named = terms.rates.map(({ country }) => ({ country, name: countryName(country, language) }))
    return [...named].sort((a, b) => a.name.localeCompare(b.name, language))
  }, [terms, language])
  return (
    <Labelled label={t.country} problem={problem} wide>
      {(control) => (
        <Select
          {...control}
          autoComplete="country"
          value={value}
          onChange={({ target }) => onChange(target.value)}
          className="w-full"
        >
          <option value="">{t.chooseCountry}</option>
          {countries.map(({ country, name }) => (
            <option key={country} value={country}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Labelled>
  )
}

const autofill: Record<AddressField['name'], string> = {
  name: 'name',
  line1: 'address-line1',
  line2: 'address-line2',
  district: 'address-level3',
  city: 'address-level2',
  region: 'address-level1',
  postalCode: 'postal-code',
  phone: 'tel',
}

function Part({ field, value, problem, onChange }: ControlProps & { field: AddressField }) {
  const t = redemptionsTexts.useT().flow
  const { name, kind, required, options } = field
  const kinds: Readonly<Record<string, string>> = t.kinds
  const called = (kind && name !== 'city' && name !== 'district' && kinds[kind]) || t.fields[name]
  const label = required ? called : `${called} (${t.optional})`
  const listed = isListed(field)
  return (
    <Labelled label={label} problem={problem} wide={['name', 'line1', 'line2', 'phone'].includes(name)}>
      {(control) =>
        listed ? (
          <Select
            {...control}
            required={required}
            disabled={!options}
            autoComplete={autofill[name]}
            value={value}
            onChange={({ target }) => onChange(target.value)}
            className="w-full"
          >
            <option value="">{t.choose}</option>
            {options?.map((option) => (
              <option key={option.id} value={option.id}>
                {option.name}
              </option>
            ))}
          </Select>
        ) : (
          <Input
            {...control}
            required={required}
            maxLength={100}
            autoComplete={autofill[name]}
            value={value}
            onChange={({ target }) => onChange(target.value)}
          />
        )
      }
    </Labelled>
  )
}

interface LabelledProps {
  label: string
  problem: string | undefined
  wide?: boolean
  children: (control: { id: string; 'aria-invalid': boolean; 'aria-describedby': string }) => ReactNode
}

function Labelled({ label, problem, wide = false, children }: LabelledProps) {
  const t = redemptionsTexts.useT().flow
  const id = useId()
  const said: Readonly<Record<string, string>> = t.problems
  return (
    <div className={wide ? 'col-span-2' : 'col-span-2 sm:col-span-1'}>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      {children({ id, 'aria-invalid': problem !== undefined, 'aria-describedby': `${id}below` })}
      <p id={`${id}below`} aria-live="polite" className="text-[0.8125rem] text-destructive-text not-empty:mt-1.5">
        {problem === undefined ? '' : (said[problem] ?? t.problem)}
      </p>
    </div>
  )
}
