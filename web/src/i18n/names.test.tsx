import { renderHook } from '@testing-library/react'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { config } from '@/lib/config'
import { showLanguage } from '.'
import { packNameIn } from '@/lib/pack-name'
import { usePackName, useSeriesName } from './names'
import { items } from './texts/zh'

const named = { name: 'Pokemon', nameZh: '宝可梦' }

describe('names of packs and series', () => {
  it('are Chinese on Chinese pages if there is a Chinese name', async () => {
    await showLanguage('zh')
    const pack = renderHook(() => usePackName()).result.current
    expect(pack(named)).toBe('宝可梦')
    expect(pack({ packName: 'Pokemon', packNameZh: '宝可梦' })).toBe('宝可梦')
    expect(pack({ name: 'Evening Five' })).toBe('Evening Five')
    expect(pack({ name: 'Evening Five', nameZh: '' })).toBe('Evening Five')
    const series = renderHook(() => useSeriesName()).result.current
    expect(series('One Piece')).toBe('航海王')
    expect(series('constructor')).toBe('constructor')
  })

  it('are English on English pages', async () => {
    await showLanguage('en')
    expect(packNameIn('en', named)).toBe('Pokemon')
    expect(renderHook(() => usePackName()).result.current(named)).toBe('Pokemon')
    expect(renderHook(() => useSeriesName()).result.current('One Piece')).toBe('One Piece')
  })

  it('exist in Chinese for each series of the built-in catalogue', () => {
    const source = readFileSync('../internal/catalogue/category.go', 'utf8')
    const lists = [...source.matchAll(/Series: \[\]string\{([^}]*)\}/g)].map(([, list = '']) => list)
    const series = lists.flatMap((list) => list.split(',').map((name) => name.trim().replaceAll('"', '')))
    expect(Object.keys(items.series).sort()).toEqual([...series, config.catalogue.starter].sort())
  })
})
