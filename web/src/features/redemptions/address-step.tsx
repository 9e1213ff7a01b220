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

/** The server's problems by field name. */
function addressProblems(error: unknown): Problems {
  const fields = error instanceof ApiError ? Object.entries(error.fields) : []
  return Object.fromEntries(
    fields.filter(([name]) => name.startsWith(prefix)).map(([name, problem]) => [name.slice(prefix.length), problem]),
  )
}

/** The server defines the fields of each country and validates them. */
export function AddressStep({ terms, items, address, onChange, onBack, onNext }: AddressStepProps) {
  const texts = useT()
  const t = redemptionsTexts.useT().flow
  const language = useLanguage()
  const [problems, setProblems] = useState<Problems>({})
  const [pending, setPending] = useState(false)
  const { country = '', region = '', city = '' } = address
  const countryForm = useAddressForm({ country, language, region, city })
  const fields = countryForm.data?.fields ?? []

  function change(name: keyof Address, value: string) {
    const { [name]: _, ...others } = problems
    setProblems(others)
    // A new country clears all dependent fields; otherwise only those picked from a list.
    const outdated = (dependentFields[name] ?? []).filter((field) => name === 'country' || isSelectField(fields, field))
    const upToDate = Object.entries({ ...address, [name]: value }).filter(
      ([key]) => !outdated.some((field) => field === key),
    )
    onChange(Object.fromEntries(upToDate))
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const formElement = event.currentTarget
    const fieldNames = ['country', ...fields.map(({ name }) => name)]
    const filledFields = Object.fromEntries(
      Object.entries(address).filter(([name, value]) => value && fieldNames.includes(name)),
    )
    const draft = { name: '', line1: '', country, ...filledFields }
    const missing = fields
      .filter(({ name, required }) => required && !filledFields[name])
      .map(({ name }) => [name, 'is required'])
    if (missing.length > 0) return showProblems(formElement, Object.fromEntries(missing) as Problems)
    setPending(true)
    requestClaimChallenge({ inventoryIds: items, address: draft })
      .then((answer) => onNext(answer.address))
      .catch((error: unknown) => {
        const fieldProblems = addressProblems(error)
        if (Object.keys(fieldProblems).length > 0) showProblems(formElement, fieldProblems)
        else toast({ title: t.signFailed, description: errorText(error, texts), variant: 'destructive' })
      })
      .finally(() => setPending(false))
  }

  function showProblems(formElement: HTMLFormElement, fieldProblems: Problems) {
    setProblems(fieldProblems)
    requestAnimationFrame(() => formElement.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }

  return (
    <StepPanel title={t.addressTitle} text={t.addressText(terms.addressKeptDays)}>
      <form noValidate onSubmit={submit} className="mt-5">
        <div className="grid grid-cols-2 gap-x-4 gap-y-5">
          <CountrySelect
            terms={terms}
            value={country}
            problem={problems['country']}
            onChange={(to) => change('country', to)}
          />
          {country !== '' && (
            <Loaded
              query={countryForm}
              failed={t.addressFailed}
              inlineErrorClass="col-span-2"
              withCause
              skeleton={<Skeleton className="col-span-2 h-72 rounded-xl" />}
            >
              {({ fields: shownFields }) =>
                shownFields.map((field) => (
                  <AddressInput
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
          <Button type="submit" disabled={pending || !countryForm.data}>
            {pending && <Spinner />}
            <span>{t.next}</span>
          </Button>
        </div>
      </form>
    </StepPanel>
  )
}

/** Fields whose value a change may invalidate, such as the city of another region. */
const dependentFields: Partial<Record<keyof Address, readonly (keyof Address)[]>> = {
  country: ['region', 'city', 'district', 'postalCode'],
  region: ['city', 'district'],
  city: ['district'],
}

function isSelectField(fields: readonly AddressField[], name: keyof Address): boolean {
  return fields.some((field) => field.name === name && isSelect(field))
}

const isSelect = ({ options, within }: AddressField) => options !== undefined || within !== undefined

interface ControlProps {
  value: string
  problem: string | undefined
  onChange: (value: string) => void
}

function CountrySelect({ terms, value, problem, onChange }: ControlProps & { terms: ClaimTerms }) {
  const t = redemptionsTexts.useT().flow
  const language = useLanguage()
  const countries = useMemo(() => {
    const named = terms.rates.map(({ country }) => ({ country, name: countryName(country, language) }))
    return [...named].sort((a, b) => a.name.localeCompare(b.name, language))
  }, [terms, language])
  return (
    <LabeledControl label={t.country} problem={problem} wide>
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
    </LabeledControl>
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

function AddressInput({ field, value, problem, onChange }: ControlProps & { field: AddressField }) {
  const t = redemptionsTexts.useT().flow
  const { name, kind, required, options } = field
  const kinds: Readonly<Record<string, string>> = t.kinds
  const fieldName = (kind && name !== 'city' && name !== 'district' && kinds[kind]) || t.fields[name]
  const label = required ? fieldName : `${fieldName} (${t.optional})`
  const select = isSelect(field)
  return (
    <LabeledControl label={label} problem={problem} wide={['name', 'line1', 'line2', 'phone'].includes(name)}>
      {(control) =>
        select ? (
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
    </LabeledControl>
  )
}

interface LabeledControlProps {
  label: string
  problem: string | undefined
  wide?: boolean
  children: (control: { id: string; 'aria-invalid': boolean; 'aria-describedby': string }) => ReactNode
}

function LabeledControl({ label, problem, wide = false, children }: LabeledControlProps) {
  const t = redemptionsTexts.useT().flow
  const id = useId()
  const messages: Readonly<Record<string, string>> = t.problems
  return (
    <div className={wide ? 'col-span-2' : 'col-span-2 sm:col-span-1'}>
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      {children({ id, 'aria-invalid': problem !== undefined, 'aria-describedby': `${id}-problem` })}
      <p id={`${id}-problem`} aria-live="polite" className="text-[0.8125rem] text-destructive-text not-empty:mt-1.5">
        {problem === undefined ? '' : (messages[problem] ?? t.problem)}
      </p>
    </div>
  )
}
