//! Sets `cfg(v256)` where kernels over `simd::vector::V256` exist: on x86-64, on little-endian AArch64, and on wasm32 with
//! simd128; and `cfg(avx2)` where they are compiled for AVX2.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(v256, avx2)");
    let target = |name: &str| env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    let is_little_aarch64 = target("ARCH") == "aarch64" && target("ENDIAN") == "little";
    let is_simd128 =
        target("ARCH") == "wasm32" && target("FEATURE").split(',').any(|name| name == "simd128");
    let is_x86_64 = target("ARCH") == "x86_64";
    if is_x86_64 {
        println!("cargo::rustc-cfg=avx2");
    }
    if is_x86_64 || is_little_aarch64 || is_simd128 {
        println!("cargo::rustc-cfg=v256");
    }
}
