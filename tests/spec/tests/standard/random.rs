//! The generator of random numbers.

use mojika_spec::Random;

#[test]
fn numbers_follow_from_the_seed() {
    // The reference implementation returns this number first for seed 0.
    assert_eq!(Random::new(0).next(), 0xE220_A839_7B1D_CDAF);
    let first_two = |mut random: Random| [random.next(), random.next()];
    assert_eq!(first_two(Random::new(7)), first_two(Random::new(7)));
    assert_ne!(first_two(Random::new(7)), first_two(Random::new(8)));
    let seeds = |seeds: &[u64]| first_two(Random::from_seeds(seeds));
    assert_ne!(seeds(&[1, 2]), seeds(&[2, 1]));
}

#[test]
fn numbers_below_a_limit_are_all_reached() {
    let mut random = Random::new(1);
    let mut reached = [false; 50];
    for _ in 0..2000 {
        reached[random.below(50)] = true;
    }
    assert_eq!(reached, [true; 50]);
    assert_eq!(random.below(0), 0);
}

#[test]
fn shuffling_loses_nothing() {
    let mut numbers: Vec<u32> = (0..100).collect();
    Random::new(3).shuffle(&mut numbers);
    assert!(!numbers.is_sorted());
    numbers.sort_unstable();
    assert!(numbers.into_iter().eq(0..100));
}
