// Package resvg rasterizes SVG with resvg, which runs as WebAssembly in a sandbox: a bad drawing or
// a bug in resvg ends in an error, never in a crash of the process. Drawings get no fonts, so text
// elements stay empty, and they can't load files or images from other hosts.
//
// resvg.wasm.zst is index_bg.wasm of the npm package @resvg/resvg-wasm 2.6.2, compressed. To update
// it: npm pack @resvg/resvg-wasm@VERSION, then zstd --ultra -22, and adapt bindings.go to the
// imports in index.mjs.
package resvg

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"image"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

//go:embed resvg.wasm.zst
var compressed []byte

const (
	// memoryPages limits the memory of an instance to 32 MB. A page has 64 kB; our drawings use 4 MB.
	memoryPages = 512
	// maxPixels limits the size of an image.
	maxPixels = 2_000_000
	// loopsPerYield is the number of passes through loops, about 50 µs, between two pauses.
	loopsPerYield = 1000
	// timeLimit is that of one image. Our drawings take half a second, or 15 s where the system forbids
	// making memory executable, so that wazero interprets the code.
	timeLimit = time.Minute
)

// Rasterizer turns drawings into pixels, one at a time. It compiles the module on first use, which
// takes seconds, and keeps the compiled code in a folder for later starts.
type Rasterizer struct {
	dir string
	log *slog.Logger

	mutex   sync.Mutex
	runtime wazero.Runtime // nil while it isn't needed
	module  wazero.CompiledModule
	cache   wazero.CompilationCache // nil if the folder can't be used
}

// New returns a Rasterizer that keeps compiled code in a folder. It may be deleted at any time.
func New(dir string, log *slog.Logger) *Rasterizer {
	return &Rasterizer{dir: dir, log: log}
}

// Render rasterizes a drawing at a width in pixels. The image's height follows from the drawing. It
// fails with the error of ctx once ctx is done.
func (r *Rasterizer) Render(ctx context.Context, svg []byte, width int) (*image.RGBA, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err := r.load(ctx); err != nil {
		return nil, fmt.Errorf("load resvg: %w", err)
	}
	limited, cancel := context.WithTimeout(ctx, timeLimit)
	defer cancel()
	rendered, err := r.render(limited, svg, width)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("rasterize a drawing of %d bytes: %w", len(svg), err)
	}
	return rendered, nil
}

// Unload frees the memory of the compiled code until the next use, which reads it again.
func (r *Rasterizer) Unload(ctx context.Context) error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.runtime == nil || r.cache == nil {
		return nil // compiling again would cost more
	}
	err := errors.Join(r.runtime.Close(ctx), r.cache.Close(ctx))
	r.runtime, r.module, r.cache = nil, nil, nil
	return err
}

// load compiles the module, or reads the compiled code from the folder. It works without the folder if
// that is damaged or can't be written.
func (r *Rasterizer) load(ctx context.Context) error {
	if r.runtime != nil {
		return nil
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return err
	}
	defer decoder.Close()
	code, err := decoder.DecodeAll(compressed, nil)
	if err != nil {
		return err
	}
	code, err = addYields(code, dropReference, loopsPerYield)
	if err != nil {
		return err
	}
	cache, err := wazero.NewCompilationCacheWithDir(r.dir)
	if err == nil {
		err = r.compile(ctx, code, cache)
		if err == nil || ctx.Err() != nil {
			return err
		}
		err = errors.Join(err, cache.Close(ctx), os.RemoveAll(r.dir))
	}
	r.log.WarnContext(ctx, "compiled code for preview pictures can't be stored", "folder", r.dir, "error", err)
	return r.compile(ctx, code, nil)
}

// compile compiles the module. With cache it takes compiled code from there, or stores it.
func (r *Rasterizer) compile(ctx context.Context, code []byte, cache wazero.CompilationCache) error {
	config := wazero.NewRuntimeConfig().WithMemoryLimitPages(memoryPages)
	if cache != nil {
		config = config.WithCompilationCache(cache)
	}
	runtime := wazero.NewRuntimeWithConfig(ctx, config)
	module, err := runtime.CompileModule(ctx, code)
	if err == nil {
		err = addImports(ctx, runtime)
	}
	if err != nil {
		return errors.Join(err, runtime.Close(ctx))
	}
	r.runtime, r.module, r.cache = runtime, module, cache
	return nil
}

// render rasterizes a drawing in an instance of its own, so that no drawing affects another.
func (r *Rasterizer) render(ctx context.Context, svg []byte, width int) (rendered *image.RGBA, err error) {
	objects := new(heap)
	ctx = context.WithValue(ctx, heapKey{}, objects)
	instance, err := r.runtime.InstantiateModule(ctx, r.module, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, instance.Close(context.WithoutCancel(ctx))) }()
	options := fmt.Sprintf(`{"fitTo":{"mode":"width","value":%d},"font":{"loadSystemFonts":false}}`, width)
	pointer, err := allocate(ctx, instance, options)
	if err != nil {
		return nil, err
	}
	drawing, err := callChecked(ctx, instance, "resvg_new", uint64(objects.add(string(svg))), uint64(pointer), uint64(len(options)), 0)
	if err != nil {
		return nil, err
	}
	result, err := callChecked(ctx, instance, "resvg_render", uint64(drawing))
	if err != nil {
		return nil, err
	}
	return readImage(ctx, instance, result)
}

// readImage returns the pixels of a rendered image.
func readImage(ctx context.Context, instance api.Module, result uint32) (*image.RGBA, error) {
	width, err := call(ctx, instance, "renderedimage_width", uint64(result))
	if err != nil {
		return nil, err
	}
	height, err := call(ctx, instance, "renderedimage_height", uint64(result))
	if err != nil {
		return nil, err
	}
	if width == 0 || height == 0 || uint64(width)*uint64(height) > maxPixels {
		return nil, fmt.Errorf("%d by %d pixels", width, height)
	}
	reference, err := call(ctx, instance, "renderedimage_pixels", uint64(result))
	if err != nil {
		return nil, err
	}
	rendered := image.NewRGBA(image.Rect(0, 0, int(width), int(height)))
	pixels, ok := objectsOf(ctx).get(reference).([]byte)
	if !ok || len(pixels) != len(rendered.Pix) {
		return nil, fmt.Errorf("%d bytes for %d by %d pixels", len(pixels), width, height)
	}
	copy(rendered.Pix, pixels) // both are premultiplied
	return rendered, nil
}
